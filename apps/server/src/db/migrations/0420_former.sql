-- Users, drivers and vehicles that were deleted: their names stay with what they did and what happened to them.
-- additive: only foreign keys are dropped; an older server finds no name for a deleted user, as before.

create table former_user (
  account_id integer not null references account on delete cascade,
  id uuid not null,
  user_name text not null,
  display_name text not null,
  role text not null,
  primary key (account_id, id)
);
create table former_driver (
  account_id integer not null references account on delete cascade,
  id integer not null,
  name text not null,
  primary key (account_id, id)
);
create table former_vehicle (
  account_id integer not null references account on delete cascade,
  id integer not null,
  imei text not null,
  name text not null,
  primary key (account_id, id)
);

grant select, insert on former_user, former_driver, former_vehicle to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['former_user', 'former_driver', 'former_vehicle'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account
         using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;

-- Everyone who can have done something, deleted or not.
create view person with (security_invoker = true) as
  select account_id, id, user_name, display_name, role from app_user
  union all select account_id, id, user_name, display_name, role from former_user;
create view named_driver with (security_invoker = true) as
  select account_id, id, name from driver union all select account_id, id, name from former_driver;
grant select on person, named_driver to milepost_account;

-- Not where the account itself is deleted: its names go with it.
create function keep_former_user() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into former_user (account_id, id, user_name, display_name, role)
  select old.account_id, old.id, old.user_name, old.display_name, old.role
  from account where account.id = old.account_id
  on conflict do nothing;
  return null;
end $$;
create trigger keep_former after delete on app_user for each row execute function keep_former_user();

-- What they had still to do has no driver, or no vehicle, any more.
create function keep_former_driver() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into former_driver (account_id, id, name)
  select old.account_id, old.id, old.name from account where account.id = old.account_id
  on conflict do nothing;
  update task set driver_id = null where account_id = old.account_id and driver_id = old.id and over_at is null;
  return null;
end $$;
create trigger keep_former after delete on driver for each row execute function keep_former_driver();

create function keep_former_vehicle() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into former_vehicle (account_id, id, imei, name)
  select old.account_id, old.id, old.imei, old.name from account where account.id = old.account_id
  on conflict do nothing;
  update task set vehicle_id = null where account_id = old.account_id and vehicle_id = old.id and over_at is null;
  return null;
end $$;
create trigger keep_former after delete on vehicle for each row execute function keep_former_vehicle();

-- Keys that forgot who it was.
do $$
declare kept record;
begin
  for kept in
    select conrelid::regclass as child, conname as name
    from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = any (confdelsetcols)
    where contype = 'f' and confdeltype = 'n' and (conrelid::regclass::text, attname::text) in (
      ('account_setting', 'changed_by'), ('alert', 'acknowledged_by'), ('alert', 'driver_id'),
      ('control_rule', 'changed_by'), ('document', 'created_by'), ('geofence', 'created_by'),
      ('notification_setting', 'changed_by'), ('rule', 'created_by'), ('rule_mute', 'begun_by'),
      ('saved_view', 'created_by'), ('task', 'assigned_by'), ('task', 'created_by'), ('task', 'driver_id'),
      ('task', 'vehicle_id'), ('task_step', 'user_id'), ('vehicle_mute', 'begun_by'))
  loop
    execute format('alter table %s drop constraint %I', kept.child, kept.name);
  end loop;
end $$;

-- Alerts that someone acknowledged who was deleted since: nobody knows the name any more, but that it was done.
-- What was acknowledged a day after it happened came in that late, and nobody had to.
do $$
declare unknown constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  insert into former_user (account_id, id, user_name, display_name, role)
  select distinct account_id, unknown, 'deleted-user', 'Deleted user', 'viewer' from alert
  where acknowledged_at is not null and acknowledged_by is null and kind <> 'secondPerson'
    and (note is not null or not late and acknowledged_at < opened_at + interval '1 day');
  update alert set acknowledged_by = unknown
  where acknowledged_at is not null and acknowledged_by is null and kind <> 'secondPerson'
    and (note is not null or not late and acknowledged_at < opened_at + interval '1 day');
end $$;
