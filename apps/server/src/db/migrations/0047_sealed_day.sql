-- A vehicle's positions of a day (UTC) as one packed block, instead of a row for each: docs/adr/0011.
create table sealed_day (
  account_id integer not null,
  vehicle_id integer not null,
  day date not null,
  -- Of its first and its last position.
  from_at timestamptz not null,
  to_at timestamptz not null,
  positions integer not null,
  -- Valid and without a doubt.
  believed integer not null,
  track bytea not null,
  primary key (vehicle_id, day),
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
-- It is compressed already.
alter table sealed_day alter column track set storage external;

grant select on sealed_day to milepost_account;
alter table sealed_day enable row level security;
create policy own_account on sealed_day to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());

-- As before, but not for positions that were there already, and only change their form.
create or replace function mark_day_stale() returns trigger language plpgsql security definer
set search_path from current as $$
declare
  hour_at timestamptz := date_trunc('hour', new.fix_at, 'UTC');
  utc_day date := (new.fix_at at time zone 'UTC')::date;
begin
  if current_setting('milepost.reopening', true) = 'on' then
    return null;
  end if;
  if exists (
    select from vehicle_day_stale where vehicle_id = new.vehicle_id and day = utc_day
      and first_at <= new.fix_at and last_at >= new.fix_at and xmin = pg_current_xact_id()::xid
  ) then
    return null;
  end if;
  insert into vehicle_day_stale as known (account_id, vehicle_id, day, first_at, last_at)
  values (new.account_id, new.vehicle_id, utc_day, hour_at, hour_at + interval '1 hour' - interval '1 millisecond')
  on conflict (vehicle_id, day) do update set
    first_at = least(known.first_at, excluded.first_at),
    last_at = greatest(known.last_at, excluded.last_at),
    marks = known.marks + 1;
  return null;
end $$;
