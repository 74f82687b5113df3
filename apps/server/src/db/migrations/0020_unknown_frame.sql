-- Frames that no decoder could read, so that whoever runs the installation can report them: few, short, for seven days. They
-- belong to no account; the operator's account lists them.
create table unknown_frame (
  id integer generated always as identity primary key,
  protocol text not null,
  -- What the tracker called itself before, where it had signed in.
  imei text,
  remote_address text,
  received_at timestamptz not null default now(),
  -- As the decoder says it: the code of the error and where it stands.
  code text not null,
  at integer not null,
  -- The first bytes; `length` is that of the whole.
  frame bytea not null check (octet_length(frame) <= 2048),
  length integer not null
);
create index unknown_frame_by_age on unknown_frame (received_at);
