-- What each vehicle did on each day of its account's time zone. Follows from the positions, by the rules of the day
-- route; docs/figures.md says how it is kept up to date.

create table vehicle_day (
  account_id integer not null,
  vehicle_id integer not null,
  day date not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- The figures are those of this moment.
  until_at timestamptz not null,
  -- Metres, seconds, m/s.
  distance double precision not null,
  moving double precision not null,
  idling double precision not null,
  stopped double precision not null,
  gap double precision not null,
  stops integer not null,
  max_speed double precision,
  first_move_at timestamptz,
  last_stop_at timestamptz,
  fixes integer not null,
  left_out integer not null,
  -- Seconds on the road by hour of the wall clock; null where it never moved.
  hours smallint[],
  -- The newest fix that was looked at.
  through_at timestamptz not null,
  -- Fixes to come may still change it.
  open boolean not null,
  -- What the counting goes on with; null where that would begin anew.
  count jsonb,
  primary key (vehicle_id, day),
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
) with (fillfactor = 80);
create index vehicle_day_account on vehicle_day (account_id, day);

-- Days (UTC) into which positions came behind newer ones, marked with them in one transaction: what a crash leaves
-- uncounted is known. No foreign key, for the hot path pays for it.
create table vehicle_day_stale (
  account_id integer not null,
  vehicle_id integer not null,
  day date not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Grows with each mark, so that one that came meanwhile is not taken off.
  marks bigint not null default 1,
  primary key (vehicle_id, day)
);
create index vehicle_day_stale_account on vehicle_day_stale (account_id);

-- The zone that an account's days were counted in.
create table day_zone (
  account_id integer primary key references account on delete cascade,
  zone text not null
);

-- By the hour: of a memory that is read out, thousands of positions are one mark, and the transaction's own mark that
-- covers a position is not written again.
create function mark_day_stale() returns trigger language plpgsql security definer set search_path from current as $$
declare
  hour_at timestamptz := date_trunc('hour', new.fix_at, 'UTC');
  utc_day date := (new.fix_at at time zone 'UTC')::date;
begin
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
-- Bit 1 is `impossible-time`: such a fix leaves the newest as it is, so that what follows it need not be late.
create trigger position_late after insert on position for each row
  when (new.late or (new.doubts & 2) <> 0) execute function mark_day_stale();

do $$
declare t text;
begin
  foreach t in array array['vehicle_day', 'vehicle_day_stale', 'day_zone'] loop
    execute format('grant select on %I to milepost_account', t);
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
