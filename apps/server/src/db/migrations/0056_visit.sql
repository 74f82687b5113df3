-- Visits of vehicles to geofences. They follow from the positions, as trips do; docs/geofences.md.

-- The geofences as visits are counted with.
create sequence geofence_version_number;
create table geofence_version (
  geofence_id integer primary key,
  account_id integer not null,
  -- A digest of all that decides about visits. Where it differs from the geofence's, the visits are counted anew.
  settings text not null,
  version bigint not null default nextval('geofence_version_number'),
  -- The day (UTC) from which visits are counted.
  since_day date not null,
  foreign key (account_id, geofence_id) references geofence (account_id, id) on delete cascade
);
create index geofence_version_of_account on geofence_version (account_id);

-- How far each vehicle is followed.
create table visit_fold (
  account_id integer not null,
  vehicle_id integer primary key,
  -- The first day (UTC) that late positions can still correct.
  since_day date not null,
  -- The newest fix that was looked at.
  through_at timestamptz not null,
  -- The newest geofence version that is taken into account, and the geofences that are for this vehicle among others.
  version bigint not null,
  assigned integer[] not null,
  -- What following goes on with.
  state jsonb not null,
  -- Days that are counted again because positions came late.
  late jsonb,
  -- Geofences whose visits are not counted up to now yet, and from which day on.
  added jsonb,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
) with (fillfactor = 80);

-- What following goes on with at the beginning of a day (UTC), so that late positions don't take all of the past.
create table visit_day (
  account_id integer not null,
  vehicle_id integer not null,
  day date not null,
  state jsonb not null,
  -- South, west, north and east of the day's fixes and the last one before them; null if it has none.
  box double precision[],
  primary key (vehicle_id, day),
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
) with (fillfactor = 80);

create table visit (
  account_id integer not null,
  vehicle_id integer not null,
  geofence_id integer not null,
  -- When it crossed the edge; not earlier than `after` (null if unknown), not later than `before`.
  in_at timestamptz not null,
  in_after timestamptz,
  in_before timestamptz not null,
  -- The fix that made it certain.
  in_known_at timestamptz not null,
  -- 0 to 1.
  in_confidence double precision not null,
  in_lat double precision not null,
  in_lon double precision not null,
  -- Null while the vehicle is inside.
  out_at timestamptz,
  out_after timestamptz,
  out_before timestamptz,
  out_known_at timestamptz,
  out_confidence double precision,
  out_lat double precision,
  out_lon double precision,
  -- In and out again between two fixes.
  is_pass boolean not null,
  primary key (vehicle_id, geofence_id, in_known_at),
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade,
  foreign key (account_id, geofence_id) references geofence (account_id, id) on delete cascade
) with (fillfactor = 80);
create index visit_inside on visit (account_id, geofence_id) where out_at is null;
create index visit_of_geofence on visit (account_id, geofence_id, in_at desc);
create index visit_left on visit (account_id, geofence_id, out_at desc) where out_at is not null;
create index visit_of_vehicle on visit (account_id, vehicle_id, in_at desc);

grant select on geofence_version, visit_fold, visit_day, visit to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['geofence_version', 'visit_fold', 'visit_day', 'visit'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
