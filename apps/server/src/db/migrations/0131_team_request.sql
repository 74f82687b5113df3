-- A driver asks another one to ride along; the other signs in as co-driver on their own phone.
create table team_request (
  account_id integer not null references account on delete cascade,
  driver_id integer not null,
  co_driver_id integer not null,
  vehicle_id integer not null,
  asked_at timestamptz(3) not null,
  primary key (account_id, driver_id)
);
create index team_request_to on team_request (account_id, co_driver_id);

create trigger note_change after insert or update or delete on team_request for each row
  execute function note_log('logbook', 'co_driver_id', '');

grant select, insert, update, delete on team_request to milepost_account;
alter table team_request enable row level security;
create policy own_account on team_request to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
