-- What is recorded automatically: per vehicle how far, and what drivers entered. The recorder's state follows from the
-- positions and the inputs in the order of time; docs/eld.md.

-- Whatever a driver does on the phone, once by its id, in the order in which it arrived.
create table duty_input (
  account_id integer not null references account on delete cascade,
  id uuid not null,
  seq bigint generated always as identity unique,
  -- No foreign keys: like the log, what was entered outlives both.
  driver_id integer not null,
  -- The vehicle whose recorder takes it; null for what concerns the log alone.
  vehicle_id integer,
  at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  user_id uuid,
  -- The contract's `DutyAction`.
  action jsonb not null,
  -- What the recorder needs to know, as it was then: the driver's status and what the carrier allows.
  terms jsonb,
  -- Why it was not taken; null if it was.
  refusal text,
  primary key (account_id, id)
);
create index duty_input_vehicle on duty_input (account_id, vehicle_id, at);
create index duty_input_driver on duty_input (account_id, driver_id, at);

-- Vehicles that are recorded: those that a driver with a log has signed in to.
create table recorder_fold (
  account_id integer not null,
  vehicle_id integer primary key,
  -- The newest position and the newest input that are folded.
  fix_through timestamptz(3) not null,
  input_through bigint not null default 0,
  state jsonb not null,
  -- Events that were recorded because time went on, ahead of the next position.
  ahead jsonb not null default '[]',
  -- When the next one is due.
  next_at timestamptz(3),
  -- The driver who is signed in, and the one who rides along.
  driver_id integer,
  co_driver_id integer,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
) with (fillfactor = 80);
create index recorder_fold_of_account on recorder_fold (account_id, vehicle_id);
create index recorder_fold_driver on recorder_fold (account_id, driver_id);

-- The recorder's state at the beginning of a day (UTC), from which late positions correct the log.
create table recorder_day (
  account_id integer not null,
  vehicle_id integer not null,
  day date not null,
  state jsonb not null,
  primary key (vehicle_id, day),
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
create index recorder_day_of_account on recorder_day (account_id, vehicle_id);

-- Positions came late: from there on it is recorded again. Only added to and taken off, so that whoever stores positions
-- never waits for the recorder.
create table recorder_late (
  account_id integer not null,
  id bigint generated always as identity primary key,
  vehicle_id integer not null,
  from_at timestamptz not null,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
create index recorder_late_vehicle on recorder_late (account_id, vehicle_id);

create function mark_recorder_late() returns trigger language plpgsql security definer
set search_path from current as $$
begin
  insert into recorder_late (account_id, vehicle_id, from_at)
  select account_id, vehicle_id, new.first_at from recorder_fold where vehicle_id = new.vehicle_id;
  return null;
end $$;
create trigger recorder_late after insert or update on vehicle_day_stale for each row
  execute function mark_recorder_late();

-- Exceptions of the rules that drivers declared, seen by the hours engine.
create table log_declaration (
  account_id integer not null references account on delete cascade,
  id uuid not null,
  driver_id integer not null,
  exception text not null,
  start_at timestamptz(3) not null,
  end_at timestamptz(3),
  reason text not null,
  primary key (account_id, id)
);
create index log_declaration_driver on log_declaration (account_id, driver_id, start_at);

-- Inspection reports (49 CFR 396.11, 396.13): the report never changes, signatures are added.
create table inspection_report (
  account_id integer not null references account on delete cascade,
  id uuid not null,
  vehicle_id integer not null,
  driver_id integer not null,
  inspected text not null check (inspected in ('pre-trip', 'post-trip')),
  -- As `packages/eld` has them: the report, its state, two more signatures.
  report jsonb not null,
  -- Names of photos, by defect.
  photos jsonb not null default '[]',
  state text not null,
  certified jsonb,
  reviewed jsonb,
  reported_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index inspection_report_vehicle on inspection_report (account_id, vehicle_id, reported_at desc);
create index inspection_report_newest on inspection_report (account_id, reported_at desc);

create trigger note_change after insert or update or delete on log_declaration for each row
  execute function note_log('logbook', 'driver_id', '');
create trigger note_change after insert or update or delete on inspection_report for each row
  execute function note_log('logbook', 'driver_id', '');

grant select, insert, update, delete on duty_input, recorder_fold, recorder_day, recorder_late, log_declaration,
  inspection_report to milepost_account;
do $$
declare t text;
begin
  foreach t in array array[
    'duty_input', 'recorder_fold', 'recorder_day', 'recorder_late', 'log_declaration', 'inspection_report'
  ] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
