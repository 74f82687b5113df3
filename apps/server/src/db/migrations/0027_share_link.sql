-- Links that show a few vehicles to whoever has them, for a while. Of a link's token only the hash is kept.

create table share_link (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  token_hash bytea not null unique,
  name text,
  note text,
  show_trail boolean not null,
  show_speed boolean not null,
  starts_at timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- Whoever has gone shares nothing any more.
  created_by uuid not null,
  revoked_at timestamptz,
  views integer not null default 0,
  last_viewed_at timestamptz,
  unique (account_id, id),
  check (expires_at > starts_at),
  foreign key (account_id, created_by) references app_user (account_id, id) on delete cascade
);
create index share_link_creator on share_link (account_id, created_by);

create table share_link_vehicle (
  account_id integer not null references account on delete cascade,
  link_id integer not null,
  vehicle_id integer not null,
  -- What visitors call the vehicle: means nothing on another link.
  key uuid not null unique default gen_random_uuid(),
  primary key (link_id, vehicle_id),
  foreign key (account_id, link_id) references share_link (account_id, id) on delete cascade,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
create index share_link_vehicle_vehicle on share_link_vehicle (account_id, vehicle_id);

grant select, insert, update, delete on share_link, share_link_vehicle to milepost_account;

do $$
declare t text;
begin
  foreach t in array array['share_link', 'share_link_vehicle'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
