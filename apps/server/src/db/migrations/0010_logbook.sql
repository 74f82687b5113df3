-- The logbook: what was recorded, entered, changed, proposed and certified, for ever (49 CFR 395.8(k), 395.30). Every
-- entry is a link in the chain of its driver's log, and in that of the device that made it; docs/eld.md says how.

create table duty_entry (
  account_id integer not null references account on delete cascade,
  -- driver:12, or unidentified:7 for what vehicle 7 recorded of nobody. No foreign key: the log outlives both.
  log text not null,
  position integer not null check (position >= 0),
  id uuid not null,
  action text not null,
  recorded_at timestamptz(3) not null,
  -- The start of the earliest day that the entry concerns, itself or through what it points at: all entries from such
  -- a moment on make a log that can be read without those before.
  touches_at timestamptz(3) not null,
  device text,
  device_position integer check (device_position >= 0),
  -- Canonical JSON (RFC 8785): the text that is hashed.
  entry text not null,
  content bytea not null check (content = sha256(convert_to(entry, 'UTF8'))),
  hash bytea not null check (octet_length(hash) = 32),
  device_hash bytea check (octet_length(device_hash) = 32),
  -- One writer at a time: the second of two finds the place taken.
  primary key (account_id, log, position),
  unique (account_id, id),
  unique (account_id, device, device_position),
  check (num_nonnulls(device, device_position, device_hash) in (0, 3))
);
create index duty_entry_touches on duty_entry (account_id, log, touches_at);
-- What holds from then on: wanted with every entry, however long ago it was written.
create index duty_entry_standing on duty_entry (account_id, log, position) where action in ('home', 'team');

-- What stands for a day of a chain, made with the first entry of a later day.
create table duty_root (
  account_id integer not null references account on delete cascade,
  chain text not null,
  -- UTC
  day date not null,
  first integer not null,
  count integer not null check (count > 0),
  previous bytea not null check (octet_length(previous) = 32),
  head bytea not null check (octet_length(head) = 32),
  root bytea not null check (octet_length(root) = 32),
  primary key (account_id, chain, day)
);

-- Nobody changes or removes anything, the owner of the tables included, but for one way on purpose: an account that
-- goes as a whole, in a transaction that has said so (docs/eld.md).
create function duty_records_stay() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('milepost.erase_logbook_of', true) = old.account_id::text then
      return old;
    end if;
  end if;
  raise exception 'Duty records are only added to.'
    using hint = 'To erase an account with its logbook, see docs/eld.md.';
end $$;

do $$
declare t text;
begin
  foreach t in array array['duty_entry', 'duty_root'] loop
    execute format('create trigger %I before update or delete on %I for each row execute function duty_records_stay()', t || '_stays', t);
    execute format('create trigger %I before truncate on %I for each statement execute function duty_records_stay()', t || '_stays_whole', t);
    execute format('grant select, insert on %I to milepost_account', t);
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
