-- How an account's pages look, and what it has decided for itself.

create table tenant (
  account_id integer primary key references account on delete cascade,
  logo text,
  splash text,
  splash_on boolean not null default false,
  primary_colour text,
  secondary_colour text,
  active_colour text,
  -- Lower case; the sign-in page under this host is this account's.
  host_name text unique
);

-- A setting that has no row follows the default of the contract.
create table account_setting (
  account_id integer not null references account on delete cascade,
  name text not null,
  value jsonb not null,
  changed_at timestamptz not null default now(),
  changed_by uuid,
  primary key (account_id, name),
  foreign key (account_id, changed_by) references app_user (account_id, id) on delete set null (changed_by)
);

grant select, insert, update, delete on tenant, account_setting to milepost_account;
-- An account may call itself something else, and change nothing else about itself.
grant update (name) on account to milepost_account;

do $$
declare t text;
begin
  foreach t in array array['tenant', 'account_setting'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
