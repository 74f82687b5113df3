-- Accounts, people, sessions, vehicles, positions. Row-level security from the first table on: requests run as
-- milepost_account with milepost.account_id set for the transaction; ingest and start-up run as the owner.

do $$ begin
  if not exists (select from pg_roles where rolname = 'milepost_account') then
    create role milepost_account nologin;
  end if;
  grant milepost_account to current_user;
exception when insufficient_privilege then
  -- An administrator has made the role and granted it, because this user may not.
  if not exists (select from pg_roles where rolname = 'milepost_account')
    or not pg_has_role(current_user, 'milepost_account', 'member') then
    raise;
  end if;
end $$;

create function current_account() returns integer language sql stable
  return nullif(current_setting('milepost.account_id', true), '')::integer;

create table installation (
  singleton boolean primary key default true check (singleton),
  kind text not null check (kind in ('demo', 'own')),
  created_at timestamptz not null default now()
);

create table account (
  id integer generated always as identity primary key,
  name text not null,
  demo boolean not null default false,
  -- The account that runs the installation: sees trackers that belong to nobody.
  operator boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index account_one_operator on account (operator) where operator;

create table app_user (
  id uuid primary key default gen_random_uuid(),
  account_id integer not null references account on delete cascade,
  user_name text not null,
  email text,
  display_name text not null,
  gender smallint not null default 0,
  image text,
  role text not null check (role in ('owner', 'admin', 'dispatcher', 'viewer', 'driver')),
  -- PHC string; null for a user who can't sign in with a password (the demo's visitor).
  password_hash text,
  created_at timestamptz not null default now()
);
create unique index app_user_user_name on app_user (lower(user_name));
create unique index app_user_email on app_user (lower(email));
create index app_user_account on app_user (account_id);

create table session (
  id uuid primary key default gen_random_uuid(),
  account_id integer not null references account on delete cascade,
  user_id uuid not null references app_user on delete cascade,
  -- SHA-256 of the bearer token and of its messaging credential; the values themselves are kept nowhere.
  token_hash bytea not null unique,
  messaging_hash bytea not null unique,
  read_only boolean not null default false,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address inet,
  user_agent text
);
create index session_of_user on session (user_id);

create table vehicle (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  imei text not null unique check (imei ~ '^\d{15}$'),
  name text not null,
  plate text,
  vin text,
  model text,
  protocol text,
  -- SHA-256 of the device key (160 random bits), the tracker's MQTT password.
  device_key_hash bytea not null,
  created_at timestamptz not null default now()
);
create unique index vehicle_name on vehicle (account_id, lower(name));

-- The newest position and the motion detector's state: what a status is computed from, kept in step with position.
create table vehicle_state (
  vehicle_id integer primary key references vehicle on delete cascade,
  account_id integer not null references account on delete cascade,
  heard_at timestamptz not null,
  live jsonb not null,
  newest jsonb
);
create index vehicle_state_account on vehicle_state (account_id);

-- Units: metres, m/s, degrees, °C, percent. No foreign key: deleting a vehicle deletes its rows in the same
-- transaction, and the hot path pays nothing for it.
create table position (
  account_id integer not null,
  vehicle_id integer not null,
  fix_at timestamptz not null,
  received_at timestamptz not null,
  lat double precision not null,
  lon double precision not null,
  speed real,
  course real,
  altitude real,
  odometer double precision,
  fuel real,
  temperature real,
  hdop real,
  satellites smallint,
  gsm smallint,
  valid boolean not null,
  ignition boolean,
  -- Arrived after a newer one.
  late boolean not null,
  -- Bit n set = FIX_DOUBTS[n] of the contract.
  doubts smallint not null default 0,
  protocol text not null,
  event text,
  rfid text,
  attributes jsonb,
  primary key (vehicle_id, fix_at)
) partition by range (fix_at);
-- Fixes whose clock is far off; months are made as time goes on.
create table position_other partition of position default;

create table unknown_tracker (
  imei text primary key,
  protocol text not null,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  connections integer not null default 1,
  remote_address text
);

grant usage on schema public to milepost_account;
grant select on account to milepost_account;
grant select, insert, update, delete on app_user, session, vehicle, vehicle_state, position to milepost_account;

do $$
declare t text;
begin
  foreach t in array array['app_user', 'session', 'vehicle', 'vehicle_state', 'position'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
alter table account enable row level security;
create policy own_account on account to milepost_account using (id = current_account());
