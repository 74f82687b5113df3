-- Drivers hear at once of what others do about the vehicle they are signed in to, and not only of what is their own:
-- the repair of a defect that another driver reported, a co-driver who gets in or out, unidentified driving.

-- As before, but it says nothing where there is no log: the recorder of a vehicle that nobody is signed in to.
create or replace function note_log() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  side jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  ignored text[] := string_to_array(coalesce(tg_argv[2], ''), ',');
  named text := side ->> tg_argv[1];
  about integer := substring(named from '^(?:driver:)?(\d+)$')::integer;
  of_vehicle integer := substring(named from '^unidentified:(\d+)$')::integer;
begin
  if named is null then
    return null;
  end if;
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

-- Announces a change of the logs of those who are signed in to the vehicle now. The argument is the column that names
-- the vehicle, by its ID or as `unidentified:7`. They are told of their own log only, whoever else the change is about.
create function note_aboard() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  side jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  about integer := substring(side ->> tg_argv[0] from '^(?:unidentified:)?(\d+)$')::integer;
begin
  insert into change (account_id, kind, thing, how, driver_id, user_id)
  select driver.account_id, 'logbook', driver.id::text, 'changed', driver.id, driver.user_id
  from recorder_fold fold
  join driver on driver.account_id = fold.account_id and driver.id in (fold.driver_id, fold.co_driver_id)
  where fold.vehicle_id = about and fold.account_id = (side ->> 'account_id')::integer
    -- Whose own it is hears of it as before.
    and driver.id is distinct from (side ->> 'driver_id')::integer;
  return null;
end $$;

create trigger note_aboard after insert or update or delete on inspection_report for each row
  execute function note_aboard('vehicle_id');
create trigger note_aboard after insert on duty_entry for each row when (new.log like 'unidentified:%')
  execute function note_aboard('log');

-- Who gets in, out or to the wheel: for the other one in the vehicle.
create trigger note_driver after update on recorder_fold for each row
  when (old.driver_id is distinct from new.driver_id or old.co_driver_id is distinct from new.co_driver_id)
  execute function note_log('logbook', 'driver_id', '');
create trigger note_co_driver after update on recorder_fold for each row
  when (old.driver_id is distinct from new.driver_id or old.co_driver_id is distinct from new.co_driver_id)
  execute function note_log('logbook', 'co_driver_id', '');

-- The answer to a request to ride along, for the driver who asked.
create trigger note_asker after insert or update or delete on team_request for each row
  execute function note_log('logbook', 'driver_id', '');
