-- Who hears of a change before and after it. They were compared as sets of numbers: where the new driver had the number of
-- the account, the old audience seemed to be the new one, and the driver heard nothing.

create or replace function note_change() returns trigger language plpgsql security definer set search_path from current as $$
declare
  ignored text[] := string_to_array(coalesce(tg_argv[2], ''), ',');
  was jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) - ignored end;
  is_now jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) - ignored end;
  vehicle_column text;
  driver_column text;
  user_column text;
  side jsonb;
  told text[] := '{}';
begin
  if was = is_now then
    return null;
  end if;
  for at in 3 .. tg_nargs - 2 by 2 loop
    case tg_argv[at]
      when 'vehicle' then vehicle_column := tg_argv[at + 1];
      when 'driver' then driver_column := tg_argv[at + 1];
      when 'user' then user_column := tg_argv[at + 1];
    end case;
  end loop;
  foreach side in array array[was, is_now] loop
    continue when side is null;
    declare
      audience jsonb := jsonb_build_array(
        side -> 'account_id', side ->> tg_argv[1],
        side -> coalesce(vehicle_column, ''), side -> coalesce(driver_column, ''), side -> coalesce(user_column, ''));
    begin
      continue when audience::text = any (told);
      told := told || audience::text;
      insert into change (account_id, kind, thing, how, vehicle_id, driver_id, user_id)
      values (
        (side ->> 'account_id')::integer, tg_argv[0], side ->> tg_argv[1],
        case tg_op when 'INSERT' then 'made' when 'DELETE' then 'gone' else 'changed' end,
        (side ->> vehicle_column)::integer, (side ->> driver_column)::integer, (side ->> user_column)::uuid);
    end;
  end loop;
  return null;
end $$;
