-- The servers that run on this database, and the name that keeps this installation apart from others on a shared bus.
-- Neither belongs to an account, and the role that serves requests sees neither.

create table bus_name (
  singleton boolean primary key default true check (singleton),
  name uuid not null default gen_random_uuid()
);
insert into bus_name default values;

create table node (
  id uuid primary key,
  version text not null,
  -- Where it listens for people, as it knows it.
  address text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
