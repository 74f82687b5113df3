-- What the desk asked a driver for: to certify days, to answer proposals. The newest of each.

create table driver_reminder (
  account_id integer not null,
  driver_id integer not null,
  about text not null,
  asked_by uuid not null,
  asked_at timestamptz not null,
  primary key (driver_id, about),
  foreign key (account_id, driver_id) references driver (account_id, id) on delete cascade
);
create index driver_reminder_of_account on driver_reminder (account_id, driver_id);

create trigger note_change after insert or update or delete on driver_reminder for each row
  execute function note_log('logbook', 'driver_id', '');

grant select, insert, update, delete on driver_reminder to milepost_account;
alter table driver_reminder enable row level security;
create policy own_account on driver_reminder to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
