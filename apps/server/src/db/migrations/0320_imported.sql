-- Rows that came with an import say when: the file says that this happened; this server did not see it.
-- additive: the index on the audit log is replaced by one in the order of the page; nothing else goes.

alter table audit_entry add column imported_at timestamptz;
alter table look add column imported_at timestamptz;
alter table private_opening add column imported_at timestamptz;
alter table log_export add column imported_at timestamptz;

-- An imported webhook has neither the path of its address, which may hold a key, nor its secret. It is off until someone
-- enters them.
alter table webhook add column needs_address boolean not null default false;

-- Imported entries are older than what happened here, but have higher numbers.
create index audit_entry_latest on audit_entry (account_id, at desc, id desc);
drop index audit_entry_newest;

-- Requests read the ledger and don't write it. An import adds to it, and marks what it added.
create function import_looks(rows json) returns void language sql security definer set search_path from current as $$
  insert into look (id, account_id, driver_id, kind, via, user_id, user_name, link_id, link_name, began_at, until_at,
    period_from, period_to, imported_at)
  select id, current_account(), driver_id, kind, via, user_id, user_name, link_id, link_name, began_at, until_at,
    period_from, period_to, now()
  from json_populate_recordset(null::look, rows)
  on conflict (id) do nothing
$$;
revoke all on function import_looks(json) from public;
grant execute on function import_looks(json) to milepost_account;

create or replace function look_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and (pg_trigger_depth() > 1 or old.began_at < now() - interval '30 days') then
    return old;
  end if;
  if tg_op = 'UPDATE' and new.until_at >= old.until_at and (new.period_from is null) = (old.period_from is null)
    and new.period_from is not distinct from least(new.period_from, old.period_from)
    and new.period_to is not distinct from greatest(new.period_to, old.period_to)
    and (new.id, new.account_id, new.driver_id, new.kind, new.via, new.user_id, new.user_name, new.link_id, new.link_name,
      new.began_at, new.imported_at)
    is not distinct from (old.id, old.account_id, old.driver_id, old.kind, old.via, old.user_id, old.user_name, old.link_id,
      old.link_name, old.began_at, old.imported_at) then
    return new;
  end if;
  raise exception 'The privacy ledger is only added to.';
end $$;
