-- What the desk works on beside the logs: unidentified driving that a driver is asked to take, and the files made of
-- logs. docs/eld.md.

-- Malfunctions and data diagnostics of a vehicle, of all logs.
create index duty_entry_fault on duty_entry (account_id, device, device_position) where entry like '%"faultCode"%';
-- Proposed changes and their answers, of all drivers.
create index duty_entry_proposal on duty_entry (account_id, recorded_at)
  where action in ('propose', 'accept', 'reject');
-- Who has said that unidentified driving was not theirs.
create index duty_entry_decline on duty_entry (account_id, recorded_at) where action = 'decline';

create table unidentified_assignment (
  account_id integer not null,
  vehicle_id integer not null,
  -- The record that begins the driving. No foreign key: records are never removed.
  record uuid not null,
  driver_id integer not null,
  -- The user who asks; the row stays when they are gone.
  asked_by uuid,
  asked_at timestamptz not null default now(),
  primary key (account_id, vehicle_id, record),
  foreign key (account_id, driver_id) references driver (account_id, id) on delete cascade
);
create index unidentified_assignment_driver on unidentified_assignment (account_id, driver_id);

-- Kept as long as the logs; the content of output files too, so that the carrier knows what an officer was given.
create table log_export (
  account_id integer not null references account on delete cascade,
  id uuid primary key default gen_random_uuid(),
  driver_id integer not null,
  driver_name text not null,
  kind text not null check (kind in ('output-file', 'verifiable-log')),
  file_name text not null,
  from_date date,
  to_date date,
  comment text not null,
  made_at timestamptz not null,
  made_by uuid,
  made_by_name text not null,
  at_roadside boolean not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  content text
);
create index log_export_of_account on log_export (account_id, made_at desc);

create trigger note_change after insert or update or delete on unidentified_assignment for each row
  execute function note_log('logbook', 'driver_id', '');
create trigger note_change after insert or update or delete on log_export for each row
  execute function note_log('logbook', 'driver_id', '');

grant select, insert, update, delete on unidentified_assignment to milepost_account;
grant select, insert on log_export to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['unidentified_assignment', 'log_export'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
