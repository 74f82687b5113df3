-- The second person: what is dangerous leaves only after somebody else has confirmed it.

-- What an account has decided; without a row the rule holds as soon as two people may control.
create table control_rule (
  account_id integer primary key references account on delete cascade,
  second_person boolean not null,
  changed_at timestamptz not null,
  changed_by uuid,
  foreign key (account_id, changed_by) references app_user (account_id, id) on delete set null (changed_by)
);

-- Null: for a command that is asked for; else for the confirmation of this one and nothing else.
alter table control_grant add command_id uuid references command on delete cascade;

alter table command
  drop constraint command_state_check,
  add constraint command_state_check check (state in
    ('awaiting-second', 'queued', 'published', 'delivered', 'acknowledged', 'failed', 'expired', 'cancelled')),
  add needs_second boolean not null default false,
  add second_by uuid,
  -- As it was then.
  add second_by_name text,
  -- The second person's own: it outlives the grant itself.
  add second_grant_hash bytea unique,
  add foreign key (account_id, second_by) references app_user (account_id, id) on delete set null (second_by),
  add check (second_by is distinct from created_by or second_by is null),
  add check (second_grant_hash is distinct from grant_hash or grant_hash is null),
  add check ((second_grant_hash is null) = (second_by_name is null)),
  -- What needs two people is not on its way to a tracker, nor ever was, before there were two.
  add check (not needs_second or second_grant_hash is not null
    or (state in ('awaiting-second', 'expired', 'cancelled') and sent = 0));
drop index command_open;
create index command_open on command (vehicle_id)
  where state in ('awaiting-second', 'queued', 'published', 'delivered') or effect = 'awaited';

-- A command may be asked about first and fail afterwards.
drop index alert_command;
create unique index alert_command on alert (command_id, kind);

grant select, insert, update on control_rule to milepost_account;
alter table control_rule enable row level security;
create policy own_account on control_rule to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
