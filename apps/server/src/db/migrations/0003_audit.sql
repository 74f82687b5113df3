-- Who did what to what. Requests may add to it and read it; nobody changes or shortens it, and names are as they were.

create table audit_entry (
  id bigint generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  at timestamptz not null default now(),
  action text not null,
  -- No foreign key: what somebody did stays when they go.
  user_id uuid,
  user_name text,
  way text not null check (way in ('session', 'api-token', 'sign-in', 'system')),
  address text,
  target_id text,
  target_name text,
  changes jsonb not null default '[]'
);
create index audit_entry_newest on audit_entry (account_id, id desc);

create function audit_entry_stays() returns trigger language plpgsql as $$
begin
  -- An account that goes takes its entries along: then the deletion comes from the foreign key's own trigger.
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then
    return old;
  end if;
  raise exception 'The audit log is only added to.';
end $$;
create trigger audit_entry_stays before update or delete on audit_entry
  for each row execute function audit_entry_stays();
create trigger audit_entry_stays_whole before truncate on audit_entry
  for each statement execute function audit_entry_stays();

grant select, insert on audit_entry to milepost_account;
alter table audit_entry enable row level security;
create policy own_account on audit_entry to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
