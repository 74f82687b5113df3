-- What the product notices by itself: one row a condition, updated where it stands while the condition lasts.

create table alert (
  id uuid primary key,
  account_id integer not null references account on delete cascade,
  vehicle_id integer not null,
  kind text not null,
  severity text not null,
  -- The tracker's own word, where it was one.
  event text,
  opened_at timestamptz not null,
  -- When it was last seen, and how often.
  updated_at timestamptz not null,
  count integer not null default 1,
  closed_at timestamptz,
  -- Came in after newer reports: recorded, and no live news.
  late boolean not null default false,
  lat double precision,
  lon double precision,
  driver_id integer,
  -- What it is about; commands come and go without it.
  command_id uuid,
  acknowledged_at timestamptz,
  -- Null also where nobody had to: it was over for a day when it came in.
  acknowledged_by uuid,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade,
  foreign key (account_id, driver_id) references driver (account_id, id) on delete set null (driver_id),
  foreign key (account_id, acknowledged_by) references app_user (account_id, id) on delete set null (acknowledged_by),
  check (not late or closed_at is not null)
) with (fillfactor = 80);

-- One condition of a kind lasts at a time; what came late is one alert an hour of its own time; a command fails once.
create unique index alert_lasting on alert (vehicle_id, kind) where closed_at is null;
create unique index alert_late on alert (vehicle_id, kind, date_trunc('hour', opened_at at time zone 'UTC')) where late;
create unique index alert_command on alert (command_id);
create index alert_newest on alert (account_id, opened_at, id);
create index alert_unacknowledged on alert (account_id, severity) where acknowledged_at is null;
create index alert_vehicle on alert (vehicle_id, opened_at);

grant select, insert, update, delete on alert to milepost_account;
alter table alert enable row level security;
create policy own_account on alert to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
