-- Users of an account: what they may do, until when, how they were made; custom roles, invitations, pictures.

create table custom_role (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  name text not null,
  based_on text not null check (based_on in ('admin', 'dispatcher', 'viewer', 'driver')),
  permissions text[] not null,
  created_at timestamptz not null default now(),
  unique (account_id, id)
);
create unique index custom_role_name on custom_role (account_id, lower(name));

alter table app_user
  add phone text,
  add custom_role_id integer,
  -- Both null: everything. Ids of what is gone match nothing.
  add scope_folders integer[],
  add scope_departments integer[],
  add preferences jsonb not null default '{}',
  add active boolean not null default true,
  add expires_at timestamptz,
  add must_change_password boolean not null default false,
  -- Kept apart from the sessions, which go.
  add last_seen_at timestamptz,
  add created_by text,
  -- The role is one of the same account: a foreign key looks past row-level security.
  add foreign key (account_id, custom_role_id) references custom_role (account_id, id),
  add check ((scope_folders is null) = (scope_departments is null));
create index app_user_custom_role on app_user (custom_role_id);

alter table account
  add second_factor_policy text not null default 'optional'
    check (second_factor_policy in ('optional', 'managers', 'everybody'));
grant update (second_factor_policy) on account to milepost_account;

create table invitation (
  user_id uuid primary key references app_user on delete cascade,
  account_id integer not null references account on delete cascade,
  -- SHA-256 of 256 random bits.
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create table image (
  -- 128 random bits: a logo's address is public, and can't be guessed.
  name text primary key,
  account_id integer not null references account on delete cascade,
  kind text not null check (kind in ('user', 'logo', 'splash')),
  content bytea not null,
  created_at timestamptz not null default now()
);
create index image_account on image (account_id);

grant select, insert, update, delete on custom_role, invitation, image to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['custom_role', 'invitation', 'image'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
