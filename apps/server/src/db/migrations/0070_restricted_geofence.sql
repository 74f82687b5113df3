-- Alerts of vehicles in restricted geofences, and the geofences that were deleted, for who watches them; docs/geofences.md.

alter table alert
  -- As it was named when a vehicle entered it, for `restricted`.
  add geofence_name text;

drop index alert_lasting;
create unique index alert_lasting on alert (vehicle_id, kind)
  where closed_at is null and kind not in ('rule', 'restricted');
-- One alert for each time a vehicle is inside.
create unique index alert_restricted on alert (vehicle_id, geofence_id, began_at)
  where kind = 'restricted' and geofence_id is not null;
create index alert_restricted_lasting on alert (vehicle_id) where kind = 'restricted' and closed_at is null;

-- Kept for a day or two: who was away hears of them.
create table geofence_deleted (
  account_id integer not null references account on delete cascade,
  geofence_id integer not null,
  name text not null,
  -- Of its shape.
  kind text not null,
  color text not null,
  deleted_at timestamptz not null default now(),
  primary key (account_id, geofence_id)
);

grant select, insert, update, delete on geofence_deleted to milepost_account;
alter table geofence_deleted enable row level security;
create policy own_account on geofence_deleted to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
