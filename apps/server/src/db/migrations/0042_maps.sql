-- Roads that vehicles have driven, and where the base map of this installation comes from.

-- Cells of a grid over the world, in squares of 128 by 128, by vehicle and level: eight bytes a cell, however often it
-- was driven. Follows from the positions, by the rules of modules/roads.
create table driven_road (
  account_id integer not null,
  vehicle_id integer not null,
  level smallint not null,
  x integer not null,
  y integer not null,
  -- The least day of its cells: days since 1970-01-01, UTC.
  oldest_day integer not null,
  cells bytea not null,
  primary key (vehicle_id, level, x, y),
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
create index driven_road_square on driven_road (account_id, level, x, y);
create index driven_road_age on driven_road (account_id, oldest_day);

-- Up to which fix the positions of a vehicle have been followed.
create table driven_road_through (
  account_id integer not null,
  vehicle_id integer primary key,
  through_at timestamptz not null,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);

-- Positions that come late are followed, too: noted in their own transaction, so that a crash forgets none.
create function mark_roads_stale() returns trigger language plpgsql security definer set search_path from current as $$
begin
  update driven_road_through set through_at = new.first_at
  where vehicle_id = new.vehicle_id and through_at > new.first_at;
  return null;
end $$;
create trigger roads_stale after insert or update on vehicle_day_stale for each row execute function mark_roads_stale();

-- What its operator chose, over the environment's defaults. No account's: pages ask for the map before they know one.
create table map_setting (
  singleton boolean primary key default true check (singleton),
  choice jsonb not null,
  changed_at timestamptz not null default now()
);

grant select on driven_road to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['driven_road', 'driven_road_through'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
