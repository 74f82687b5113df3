-- Folders of vehicles, departments of drivers, drivers, subscriptions, and what a registry says of a vehicle. Foreign
-- keys carry the account, for row-level security does not bind them: nothing refers to another account's row.

alter table vehicle add unique (account_id, id);
alter table app_user add unique (account_id, id);

create table folder (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  parent_id integer,
  name text not null,
  created_at timestamptz not null default now(),
  unique (account_id, id),
  foreign key (account_id, parent_id) references folder (account_id, id)
);
create unique index folder_name on folder (account_id, coalesce(parent_id, 0), lower(name));
create index folder_parent on folder (account_id, parent_id);

create table department (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  parent_id integer,
  name text not null,
  created_at timestamptz not null default now(),
  unique (account_id, id),
  foreign key (account_id, parent_id) references department (account_id, id)
);
create unique index department_name on department (account_id, coalesce(parent_id, 0), lower(name));
create index department_parent on department (account_id, parent_id);

create table driver (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  name text not null,
  phone text,
  email text,
  licence_number text,
  licence_region text,
  licence_class text,
  licence_expires_on date,
  -- As trackers report it, upper case.
  card text,
  department_id integer,
  user_id uuid,
  notes text,
  -- Archived drivers hold no card.
  archived boolean not null default false,
  created_at timestamptz not null default now(),
  unique (account_id, id),
  foreign key (account_id, department_id) references department (account_id, id) on delete set null (department_id),
  foreign key (account_id, user_id) references app_user (account_id, id) on delete set null (user_id),
  check (not (archived and card is not null))
);
create unique index driver_card on driver (account_id, card);
-- One driver for a licence in a carrier.
create unique index driver_licence on driver (account_id, upper(coalesce(licence_region, '')), upper(licence_number));
create unique index driver_user on driver (user_id);
create index driver_department on driver (account_id, department_id);

alter table vehicle
  add type text,
  add make text,
  add year smallint,
  add fuel_type text,
  add tank_litres real,
  -- Metres that are added to what the tracker counts.
  add odometer_offset double precision not null default 0,
  add tags text[] not null default '{}',
  add notes text,
  add tracker_model text,
  add sim_number text,
  add folder_id integer,
  -- Who drives it when no card says otherwise.
  add usual_driver_id integer,
  add foreign key (account_id, folder_id) references folder (account_id, id) on delete set null (folder_id),
  add foreign key (account_id, usual_driver_id) references driver (account_id, id) on delete set null (usual_driver_id);
create unique index vehicle_usual_driver on vehicle (account_id, usual_driver_id);
create index vehicle_folder on vehicle (account_id, folder_id);

-- One for a tracker in an account, from the day on which its vehicle was added: taking the vehicle out and adding it
-- again does not begin a new one. Nobody who serves a request may write here.
create table subscription (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  imei text not null,
  created_at timestamptz not null default now(),
  unique (account_id, imei)
);

create function begin_subscription() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into subscription (account_id, imei) values (new.account_id, new.imei) on conflict do nothing;
  return null;
end $$;
create trigger vehicle_subscribes after insert or update of imei on vehicle
  for each row execute function begin_subscription();
insert into subscription (account_id, imei, created_at) select account_id, imei, created_at from vehicle;

grant select, insert, update, delete on folder, department, driver to milepost_account;
grant select on subscription to milepost_account;

do $$
declare t text;
begin
  foreach t in array array['folder', 'department', 'driver', 'subscription'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
