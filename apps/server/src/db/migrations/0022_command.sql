-- Commands to trackers with all that became of them, the control password, and what it grants.

-- One of an account. It goes with whoever set it: somebody who stays sets another.
create table control_password (
  account_id integer primary key references account on delete cascade,
  -- PHC string.
  hash text not null,
  set_at timestamptz not null default now(),
  set_by uuid not null,
  foreign key (account_id, set_by) references app_user (account_id, id) on delete cascade
);

-- Wrong tries of a user, kept here so that no restart forgives them.
create table control_try (
  user_id uuid primary key,
  account_id integer not null references account on delete cascade,
  tries integer not null,
  since timestamptz not null,
  locked_until timestamptz,
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade
);

-- What a control password has opened: one command of one user in one session, to one vehicle, once.
create table control_grant (
  -- SHA-256 of 256 random bits.
  hash bytea primary key,
  account_id integer not null references account on delete cascade,
  user_id uuid not null,
  session_id uuid not null references session on delete cascade,
  vehicle_id integer not null,
  action text not null,
  mode text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
create index control_grant_session on control_grant (session_id);

create table command (
  id uuid primary key,
  account_id integer not null references account on delete cascade,
  vehicle_id integer not null,
  imei text not null,
  action text not null,
  category text not null check (category in ('read', 'control', 'settings')),
  -- Without their secrets, which are kept until the command has come to its end.
  params jsonb not null,
  secrets jsonb,
  mode text,
  reason text,
  state text not null
    check (state in ('queued', 'published', 'delivered', 'acknowledged', 'failed', 'expired', 'cancelled')),
  waiting_for text check (waiting_for in ('tracker', 'safe-stop')),
  effect text check (effect in ('awaited', 'seen', 'not-seen')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  created_by uuid,
  -- As it was then.
  created_by_name text not null,
  -- Of a control command: no grant, no row, and no grant twice (invariant I4). It outlives the grant itself.
  grant_hash bytea unique,
  sent integer not null default 0,
  published_at timestamptz,
  protocol text,
  reference integer,
  text text,
  answer text,
  steps jsonb not null,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade,
  foreign key (account_id, created_by) references app_user (account_id, id) on delete set null (created_by),
  check ((category = 'control') = (grant_hash is not null))
);
create index command_newest on command (account_id, created_at, id);
create index command_of_vehicle on command (vehicle_id, created_at);
-- What a start has to take up again.
create index command_open on command (vehicle_id) where state in ('queued', 'published', 'delivered') or effect = 'awaited';

grant select, insert, update, delete on control_password, control_try, control_grant to milepost_account;
-- What was commanded stays written.
grant select, insert, update on command to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['control_password', 'control_try', 'control_grant', 'command'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
