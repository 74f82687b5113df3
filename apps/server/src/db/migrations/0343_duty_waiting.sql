-- A sign-in that can't be recorded is kept by the driver's phone, which sends it again: the desk has to know since when
-- and why it waits, and for which vehicle. Gone with the first entry that is taken.
create table duty_waiting (
  account_id integer not null,
  driver_id integer primary key,
  -- The time of the first sign-in that waits.
  since timestamptz(3) not null,
  -- `driver:12`: the log that breaks its own rules; null if the server fails at the vehicle.
  broken_log text,
  vehicle_id integer not null,
  foreign key (account_id, driver_id) references driver (account_id, id) on delete cascade
);
create index duty_waiting_of_account on duty_waiting (account_id, driver_id);

create trigger note_change after insert or update or delete on duty_waiting for each row
  execute function note_log('logbook', 'driver_id', '');

grant select, insert, update, delete on duty_waiting to milepost_account;
alter table duty_waiting enable row level security;
create policy own_account on duty_waiting to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
