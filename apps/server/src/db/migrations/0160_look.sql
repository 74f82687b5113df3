-- The privacy ledger: who looked at a driver's positions, how, when and for how long. Written by the server itself, where
-- data leaves; requests only read it. docs/privacy.md.

create table look (
  id uuid primary key,
  account_id integer not null references account on delete cascade,
  driver_id integer not null,
  kind text not null,
  via text not null check (via in ('session', 'api-token', 'share')),
  -- No foreign keys: what somebody looked at stays when they or their link go, with the names they had.
  user_id uuid,
  user_name text,
  link_id integer,
  link_name text,
  began_at timestamptz not null,
  until_at timestamptz not null,
  -- The time of the positions; null for where the driver was at the moment.
  period_from timestamptz,
  period_to timestamptz,
  check (until_at >= began_at),
  check ((period_from is null) = (period_to is null) and period_to >= period_from),
  foreign key (account_id, driver_id) references driver (account_id, id) on delete cascade
) with (fillfactor = 80);
create index look_of_driver on look (account_id, driver_id, began_at desc);
create index look_began on look (account_id, began_at);

-- A look may last longer than was written, and nothing else of it changes. Entries younger than any account may choose to
-- delete stay, except when their driver or account is deleted: then the deletion comes from the foreign key's trigger.
create function look_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and (pg_trigger_depth() > 1 or old.began_at < now() - interval '30 days') then
    return old;
  end if;
  if tg_op = 'UPDATE' and new.until_at >= old.until_at and (new.period_from is null) = (old.period_from is null)
    and new.period_from is not distinct from least(new.period_from, old.period_from)
    and new.period_to is not distinct from greatest(new.period_to, old.period_to)
    and (new.id, new.account_id, new.driver_id, new.kind, new.via, new.user_id, new.user_name, new.link_id, new.link_name,
      new.began_at)
    is not distinct from (old.id, old.account_id, old.driver_id, old.kind, old.via, old.user_id, old.user_name, old.link_id,
      old.link_name, old.began_at) then
    return new;
  end if;
  raise exception 'The privacy ledger is only added to.';
end $$;
create trigger look_stays before update or delete on look for each row execute function look_stays();
create trigger look_stays_whole before truncate on look for each statement execute function look_stays();

grant select on look to milepost_account;
alter table look enable row level security;
create policy own_account on look to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
