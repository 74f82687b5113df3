-- Ways to prove who one is: API tokens, authenticator apps, passkeys, recovery codes, a code by mail.

-- An API token is a session of its owner that a program holds.
alter table session
  add kind text not null default 'browser' check (kind in ('browser', 'api-token')),
  add name text,
  -- What it is limited to; null for its owner's own.
  add permissions text[];

create table totp (
  user_id uuid primary key references app_user on delete cascade,
  account_id integer not null references account on delete cascade,
  secret bytea not null,
  created_at timestamptz not null default now(),
  -- Null until a first code has shown that the app has the secret.
  confirmed_at timestamptz,
  -- The last period whose code was taken (RFC 6238 section 5.2: a code is good once).
  last_step bigint not null default 0
);

create table passkey (
  id uuid primary key default gen_random_uuid(),
  account_id integer not null references account on delete cascade,
  user_id uuid not null references app_user on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  -- The host for which it was made, and from which alone it is taken.
  rp_id text not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_user on passkey (user_id);

create table recovery_code (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  user_id uuid not null references app_user on delete cascade,
  -- SHA-256 of 80 random bits.
  code_hash bytea not null,
  used_at timestamptz
);
create index recovery_code_user on recovery_code (user_id);

-- Of nobody yet: requests never see these two, for whoever makes them has not shown who they are.
create table passkey_challenge (
  id uuid primary key default gen_random_uuid(),
  challenge text not null,
  rp_id text not null,
  -- Set where a passkey is to be made for somebody who is signed in.
  user_id uuid references app_user on delete cascade,
  expires_at timestamptz not null
);

create table password_recovery (
  id uuid primary key default gen_random_uuid(),
  token uuid not null,
  -- Null where nobody is of that name: it behaves like any other, and no code fits.
  user_id uuid references app_user on delete cascade,
  code_hash text not null,
  tries integer not null default 0,
  proof_hash bytea,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index password_recovery_user on password_recovery (user_id);

grant select, insert, update, delete on totp, passkey, recovery_code to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['totp', 'passkey', 'recovery_code'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
