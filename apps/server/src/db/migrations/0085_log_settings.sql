-- What a log says about its carrier, and which drivers keep one. docs/eld.md.

create table carrier (
  account_id integer primary key references account on delete cascade,
  name text,
  usdot_number text check (usdot_number ~ '^\d{1,8}$'),
  -- The contract's `Terminal`s; the first is the default. Empty: one in the account's time zone.
  terminals jsonb not null default '[]',
  rule_set text not null,
  personal_use boolean not null,
  yard_moves boolean not null,
  personal_use_limit_km real
);

create table log_setting (
  account_id integer not null,
  driver_id integer primary key,
  keeps_log boolean not null default false,
  -- Null in these four: as the carrier's.
  rule_set text,
  terminal_id text,
  personal_use boolean,
  yard_moves boolean,
  is_exempt boolean not null default false,
  exempt_reason text,
  -- When the driver's phone last synchronized.
  synced_at timestamptz,
  foreign key (account_id, driver_id) references driver (account_id, id) on delete cascade
);
create index log_setting_of_account on log_setting (account_id, driver_id);

-- A driver's own user hears of everything about their log. Arguments: the kind, the column with the driver or the log,
-- columns that nobody needs to hear of.
create function note_log() returns trigger language plpgsql security definer set search_path from current as $$
declare
  side jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  ignored text[] := string_to_array(coalesce(tg_argv[2], ''), ',');
  named text := side ->> tg_argv[1];
  about integer := substring(named from '^(?:driver:)?(\d+)$')::integer;
  of_vehicle integer := substring(named from '^unidentified:(\d+)$')::integer;
begin
  if tg_op = 'UPDATE' then
    if to_jsonb(old) - ignored = to_jsonb(new) - ignored then
      return null;
    end if;
  end if;
  insert into change (account_id, kind, thing, how, vehicle_id, driver_id, user_id)
  select (side ->> 'account_id')::integer, tg_argv[0], coalesce(about::text, named), 'changed', of_vehicle, about,
    (select user_id from driver where id = about and account_id = (side ->> 'account_id')::integer);
  return null;
end $$;

create trigger note_change after insert or update or delete on carrier for each row
  execute function note_change('carrier', 'account_id', '');
create trigger note_change after insert or update or delete on log_setting for each row
  execute function note_log('logbook', 'driver_id', 'synced_at');
create trigger note_change after insert or update or delete on duty_entry for each row
  execute function note_log('logbook', 'log', '');

grant select, insert, update, delete on carrier, log_setting to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['carrier', 'log_setting'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
