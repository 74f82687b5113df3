-- Places of an account: shapes on the map, in groups. The shape is the contract's `GeofenceShape`.

create table geofence_group (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  name text not null,
  color text not null,
  unique (account_id, id)
);
create unique index geofence_group_name on geofence_group (account_id, lower(name));

create table geofence (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  name text not null,
  group_id integer,
  color text not null,
  is_restricted boolean not null,
  is_on boolean not null,
  shape jsonb not null,
  -- Meters past the edge, fixes and seconds until a crossing counts.
  buffer_m double precision not null,
  min_fixes integer not null,
  min_seconds integer not null,
  -- Otherwise only those in `geofence_vehicle`.
  is_for_all boolean not null,
  note text,
  created_at timestamptz not null default now(),
  created_by uuid,
  changed_at timestamptz not null default now(),
  unique (account_id, id),
  foreign key (account_id, group_id) references geofence_group (account_id, id) on delete set null (group_id),
  foreign key (account_id, created_by) references app_user (account_id, id) on delete set null (created_by)
);
create unique index geofence_name on geofence (account_id, lower(name));
create index geofence_by_group on geofence (account_id, group_id);

-- The vehicles that a geofence is for: a folder with those inside it, or a vehicle.
create table geofence_vehicle (
  account_id integer not null,
  geofence_id integer not null,
  folder_id integer,
  vehicle_id integer,
  check (num_nonnulls(folder_id, vehicle_id) = 1),
  unique nulls not distinct (geofence_id, folder_id, vehicle_id),
  foreign key (account_id, geofence_id) references geofence (account_id, id) on delete cascade,
  foreign key (account_id, folder_id) references folder (account_id, id) on delete cascade,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
create index geofence_vehicle_folder on geofence_vehicle (account_id, folder_id);
create index geofence_vehicle_vehicle on geofence_vehicle (account_id, vehicle_id);

create trigger note_change after insert or update or delete on geofence_group for each row
  execute function note_change('geofence', 'id', '');
create trigger note_change after insert or update or delete on geofence for each row
  execute function note_change('geofence', 'id', 'changed_at');
create trigger note_change after insert or update or delete on geofence_vehicle for each row
  execute function note_change('geofence', 'geofence_id', '');

grant select, insert, update, delete on geofence_group, geofence, geofence_vehicle to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['geofence_group', 'geofence', 'geofence_vehicle'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
