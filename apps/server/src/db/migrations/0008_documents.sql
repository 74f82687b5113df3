-- Papers of vehicles and drivers. The files lie in DATA_DIR under a name that nobody can guess.

create table document (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  vehicle_id integer,
  driver_id integer,
  kind text not null,
  title text not null,
  expires_on date,
  notes text,
  -- As it was called where it came from; where it lies says `file`.
  file_name text not null,
  file text not null unique,
  type text not null,
  bytes integer not null,
  created_at timestamptz not null default now(),
  created_by uuid,
  check (num_nonnulls(vehicle_id, driver_id) = 1),
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade,
  foreign key (account_id, driver_id) references driver (account_id, id) on delete cascade,
  foreign key (account_id, created_by) references app_user (account_id, id) on delete set null (created_by)
);
create index document_vehicle on document (account_id, vehicle_id);
create index document_driver on document (account_id, driver_id);

grant select, insert, update, delete on document to milepost_account;
alter table document enable row level security;
create policy own_account on document to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
