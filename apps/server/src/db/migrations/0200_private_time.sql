-- Private time: when the positions of a vehicle are nobody's business but the driver's. They go to a table of their own,
-- which no request reads except to open it in an emergency. docs/privacy.md, docs/adr/0019-private-positions-lie-apart.md.

-- Weekly private hours. Changed hours are a new row, so that a position that comes late is judged by those of its time.
create table private_hours (
  account_id integer not null references account on delete cascade,
  id integer generated always as identity primary key,
  driver_id integer,
  vehicle_id integer,
  zone text not null,
  -- [{ days: [6, 7], from: '18:00', to: '06:00' }]
  times jsonb not null,
  valid_from timestamptz(3) not null,
  valid_to timestamptz(3),
  check ((driver_id is null) <> (vehicle_id is null)),
  foreign key (account_id, driver_id) references driver (account_id, id) on delete cascade,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
create index private_hours_of_account on private_hours (account_id);

-- A driver's private drive, or personal use in the log, from switch to switch.
create table private_drive (
  account_id integer not null references account on delete cascade,
  id integer generated always as identity primary key,
  vehicle_id integer not null,
  driver_id integer not null,
  cause text not null check (cause in ('switch', 'personal-use')),
  began_at timestamptz(3) not null,
  ended_at timestamptz(3),
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade,
  foreign key (account_id, driver_id) references driver (account_id, id) on delete cascade
);
create unique index private_drive_open on private_drive (account_id, vehicle_id) where ended_at is null;

create table private_position (
  like position,
  primary key (vehicle_id, fix_at),
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);

-- Who opened hidden positions, and why. No foreign keys but the account's: what was opened stays.
create table private_opening (
  account_id integer not null references account on delete cascade,
  id uuid not null,
  opened_at timestamptz(3) not null,
  user_id uuid not null,
  user_name text not null,
  vehicle_id integer not null,
  vehicle_name text not null,
  -- Null if no driver is known.
  driver_id integer,
  from_at timestamptz(3) not null,
  to_at timestamptz(3) not null,
  reason text not null,
  primary key (account_id, id)
);
create index private_opening_of_driver on private_opening (account_id, driver_id, opened_at desc);

create trigger note_change after insert or update or delete on private_hours for each row
  execute function note_change('private-time', 'id', '', 'vehicle', 'vehicle_id', 'driver', 'driver_id');
create trigger note_change after insert or update or delete on private_drive for each row
  execute function note_change('private-time', 'id', '', 'vehicle', 'vehicle_id', 'driver', 'driver_id');
create trigger note_change after insert or update or delete on private_opening for each row
  execute function note_change('private-time', 'id', '', 'vehicle', 'vehicle_id', 'driver', 'driver_id');
-- In a vehicle with a log, private time is personal use.
create trigger note_private_time after insert or delete on recorder_fold for each row
  execute function note_change('private-time', 'vehicle_id', '', 'vehicle', 'vehicle_id');

-- The recorder takes hidden positions as well: an electronic log is not weaker for private time. Its cursor knows the
-- others only, so each of these has a mark.
create function mark_recorder_private() returns trigger language plpgsql security definer
set search_path from current as $$
begin
  insert into recorder_late (account_id, vehicle_id, from_at)
  select added.account_id, added.vehicle_id, added.fix_at from added join recorder_fold using (vehicle_id)
  where added.fix_at >= (
    select to_timestamp((recorder_day.state #>> '{recorder,at}')::float8 / 1000) from recorder_day
    where recorder_day.vehicle_id = added.vehicle_id order by day limit 1
  );
  return null;
end $$;
create trigger recorder_private after insert on private_position referencing new table as added
  for each statement execute function mark_recorder_private();

grant select, insert, update on private_hours, private_drive to milepost_account;
grant select on private_position to milepost_account;
grant select, insert on private_opening to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['private_hours', 'private_drive', 'private_position', 'private_opening'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
