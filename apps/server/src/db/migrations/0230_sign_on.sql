-- Single sign-on: the identity provider of an account, who is who there, and sign-ins that are under way.

create table sign_on (
  account_id integer primary key references account on delete cascade,
  -- In the link for those whose host name shows another account's sign-in page.
  link uuid not null unique default gen_random_uuid(),
  is_on boolean not null,
  label text not null,
  issuer text not null,
  client_id text not null,
  scopes text not null,
  groups_claim text not null,
  -- [{ group, role, customRoleId, scope }], the first that matches decides.
  groups jsonb not null,
  default_role text check (default_role in ('owner', 'admin', 'dispatcher', 'viewer', 'driver')),
  domains text[] not null,
  create_users boolean not null,
  match_by_email boolean not null,
  passwords text not null check (passwords in ('everyone', 'owners')),
  trust_second_factor boolean not null,
  sign_out_too boolean not null
);

-- Apart from the rest, so that no request can read it.
create table sign_on_secret (
  account_id integer primary key references sign_on on delete cascade,
  secret text not null
);

-- A user is known at a provider by its issuer and their subject there, never by an address, which changes hands.
create table sign_on_identity (
  account_id integer not null references account on delete cascade,
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (account_id, issuer, subject),
  unique (account_id, user_id, issuer),
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade
);

-- Found by the state that the provider sends back, and only for the browser that has the cookie. Taken once.
create table sign_on_attempt (
  state_hash bytea primary key,
  browser_hash bytea not null,
  account_id integer not null references account on delete cascade,
  issuer text not null,
  nonce text not null,
  code_verifier text not null,
  redirect_uri text not null,
  return_to text not null,
  expires_at timestamptz not null
);
create index sign_on_attempt_over on sign_on_attempt (expires_at);

alter table session
  -- What the provider's button was called at the time.
  add column signed_on_with text,
  -- The provider has asked for a second factor.
  add column second_factor boolean not null default false;

create trigger note_change after insert or update or delete on sign_on for each row
  execute function note_change('settings', 'account_id', '');

grant select, insert, update, delete on sign_on, sign_on_identity to milepost_account;
grant select (account_id), insert, update, delete on sign_on_secret to milepost_account;
do $$
declare
  t text;
begin
  foreach t in array array['sign_on', 'sign_on_secret', 'sign_on_identity', 'sign_on_attempt'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
