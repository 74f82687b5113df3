-- Trips, stops and times without data of each vehicle, by day of the account's time zone. They follow from the positions,
-- as vehicle_day does; docs/figures.md.

-- How far each day is counted.
create table trip_day (
  account_id integer not null,
  vehicle_id integer not null,
  day date not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- The parts are those of this moment.
  until_at timestamptz not null,
  -- The newest fix that was looked at.
  through_at timestamptz not null,
  -- Fixes to come may still change it.
  open boolean not null,
  -- What the counting goes on with; null where that would begin anew.
  count jsonb,
  primary key (vehicle_id, day),
  unique (account_id, vehicle_id, day),
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
) with (fillfactor = 80);

-- The parts of a day cover it; a trip over midnight has one in each day.
create table trip_part (
  account_id integer not null,
  vehicle_id integer not null,
  day date not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- Idling at the beginning of a day goes on with what was before.
  kind text not null check (kind in ('trip', 'stop', 'gap', 'idling')),
  -- Whole numbers, so that sums are exact.
  millimetres double precision not null,
  moving_ms integer not null,
  idling_ms integer not null,
  stopped_ms integer not null,
  -- m/s.
  max_speed double precision,
  fixes integer not null,
  -- The fixes that decided where it began and ended.
  start_at timestamptz,
  start_lat double precision,
  start_lon double precision,
  end_at timestamptz,
  end_lat double precision,
  end_lon double precision,
  -- Meters and percent, as sent first and last.
  odometer double precision[],
  fuel double precision[],
  cards text[] not null,
  primary key (vehicle_id, from_at),
  foreign key (account_id, vehicle_id, day) references trip_day (account_id, vehicle_id, day) on delete cascade
) with (fillfactor = 80);
create index trip_part_day on trip_part (account_id, vehicle_id, day);

grant select on trip_day, trip_part to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['trip_day', 'trip_part'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
