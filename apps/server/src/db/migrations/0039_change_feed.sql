-- Every committed change of what an account has, written in the transaction of the change itself: whoever writes, by
-- whatever way, cannot forget it. docs/adr/0009-one-change-feed.md says why it is built this way.

create table change (
  id bigint generated always as identity primary key,
  -- In the order of commits: given after the commit, one transaction at a time. Null until then.
  number bigint unique,
  -- No foreign key: what is told last of an account is its end.
  account_id integer not null,
  kind text not null,
  thing text not null,
  how text not null check (how in ('made', 'changed', 'gone')),
  -- Whose sight decides who hears of it, and whose own it is.
  vehicle_id integer,
  driver_id integer,
  user_id uuid,
  at timestamptz not null default now()
);
create index change_unnumbered on change (id) where number is null;
create index change_of_account on change (account_id, number);
create index change_at on change (at);

create sequence change_number as bigint;

-- Only the feed reads it, past the door of accounts; the policy stands behind that.
alter table change enable row level security;
create policy own_account on change to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());

-- Numbers what was committed since. The lock lasts until the numbers are committed, so whoever sees a number has seen
-- every lower one; a transaction that takes long holds nobody up, for its rows get their numbers once it is committed.
create function number_changes() returns void language plpgsql as $$
begin
  if not exists (select from change where number is null) then
    return;
  end if;
  perform pg_advisory_xact_lock(7381040);
  update change set number = given.number
  from (
    select id, nextval('change_number') as number
    from (select id from change where number is null order by id limit 5000) unnumbered
  ) given
  where change.id = given.id and change.number is null;
end $$;

-- Arguments: the kind, the column of the id, columns that nobody needs to hear of (comma-separated), then pairs
-- `vehicle`, `driver` or `user` and the column that names it. Where these change, both sides hear of it.
create function note_change() returns trigger language plpgsql security definer set search_path from current as $$
declare
  ignored text[] := string_to_array(coalesce(tg_argv[2], ''), ',');
  was jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) - ignored end;
  is_now jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) - ignored end;
  vehicle_column text;
  driver_column text;
  user_column text;
  side jsonb;
  told jsonb := '[]';
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
      continue when told @> jsonb_build_array(audience);
      told := told || jsonb_build_array(audience);
      insert into change (account_id, kind, thing, how, vehicle_id, driver_id, user_id)
      values (
        (side ->> 'account_id')::integer, tg_argv[0], side ->> tg_argv[1],
        case tg_op when 'INSERT' then 'made' when 'DELETE' then 'gone' else 'changed' end,
        (side ->> vehicle_column)::integer, (side ->> driver_column)::integer, (side ->> user_column)::uuid);
    end;
  end loop;
  return null;
end $$;

-- What somebody may do has changed: sessions are looked at again, and their pages begin anew.
create function note_rights(account integer, users uuid[]) returns void
language sql security definer set search_path from current as $$
  insert into change (account_id, kind, thing, how, user_id)
  select account, 'rights', id::text, 'changed', id from unnest(users) id where id is not null
$$;

create function note_rights_of_user() returns trigger language plpgsql security definer set search_path from current as $$
begin
  perform note_rights(new.account_id, array[new.id]);
  return null;
end $$;
create trigger note_rights after update on app_user for each row
  when ((old.user_name, old.role, old.custom_role_id, old.scope_folders, old.scope_departments, old.active,
      old.expires_at, old.must_change_password)
    is distinct from (new.user_name, new.role, new.custom_role_id, new.scope_folders, new.scope_departments, new.active,
      new.expires_at, new.must_change_password))
  execute function note_rights_of_user();

create function note_rights_of_role() returns trigger language plpgsql security definer set search_path from current as $$
begin
  perform note_rights(new.account_id, array(select id from app_user where custom_role_id = new.id));
  return null;
end $$;
create trigger note_rights after update on custom_role for each row
  when ((old.based_on, old.permissions) is distinct from (new.based_on, new.permissions))
  execute function note_rights_of_role();

create function note_account() returns trigger language plpgsql security definer set search_path from current as $$
begin
  if old.name is distinct from new.name then
    insert into change (account_id, kind, thing, how) values (new.id, 'branding', new.id::text, 'changed');
  end if;
  if old.second_factor_policy is distinct from new.second_factor_policy then
    insert into change (account_id, kind, thing, how) values (new.id, 'settings', 'secondFactor', 'changed');
    perform note_rights(new.id, array(select id from app_user where account_id = new.id));
  end if;
  return null;
end $$;
create trigger note_change after update on account for each row execute function note_account();

-- Who has to set up a second factor may do little until then.
create function note_rights_of_factor() returns trigger language plpgsql security definer set search_path from current as $$
begin
  perform note_rights(coalesce(new.account_id, old.account_id), array[coalesce(new.user_id, old.user_id)]);
  return null;
end $$;
create trigger note_rights after insert or delete on passkey for each row execute function note_rights_of_factor();
create trigger note_rights after delete or update of confirmed_at on totp
  for each row execute function note_rights_of_factor();

create trigger note_change after insert or update or delete on vehicle for each row
  execute function note_change('vehicle', 'id', '', 'vehicle', 'id');
create trigger note_change after insert or update or delete on folder for each row
  execute function note_change('folder', 'id', '');
create trigger note_change after insert or update or delete on department for each row
  execute function note_change('department', 'id', '');
create trigger note_change after insert or update or delete on driver for each row
  execute function note_change('driver', 'id', '', 'driver', 'id', 'user', 'user_id');
create trigger note_change after insert or update or delete on document for each row
  execute function note_change('document', 'id', '', 'vehicle', 'vehicle_id', 'driver', 'driver_id');
create trigger note_change after insert or update or delete on app_user for each row
  execute function note_change('user', 'id', 'last_seen_at', 'user', 'id');
create trigger note_change after insert or update or delete on invitation for each row
  execute function note_change('user', 'user_id', '');
create trigger note_change after insert or update or delete on custom_role for each row
  execute function note_change('role', 'id', '');
create trigger note_change after insert or update or delete on session for each row
  execute function note_change('session', 'id', 'last_seen_at', 'user', 'user_id');
create trigger note_change after insert or update or delete on totp for each row
  execute function note_change('second-factor', 'user_id', 'last_step', 'user', 'user_id');
create trigger note_change after insert or update or delete on passkey for each row
  execute function note_change('second-factor', 'user_id', 'counter', 'user', 'user_id');
create trigger note_change after insert or update or delete on recovery_code for each row
  execute function note_change('second-factor', 'user_id', '', 'user', 'user_id');
create trigger note_change after insert or update or delete on email_change for each row
  execute function note_change('email', 'user_id', '', 'user', 'user_id');
create trigger note_change after insert or update or delete on tenant for each row
  execute function note_change('branding', 'account_id', '');
create trigger note_change after insert or update or delete on account_setting for each row
  execute function note_change('settings', 'name', 'changed_at,changed_by');
create trigger note_change after insert or update or delete on subscription for each row
  execute function note_change('subscription', 'id', '');
create trigger note_change after insert or update or delete on saved_view for each row
  execute function note_change('view', 'id', '', 'user', 'owner_id');
create trigger note_change after insert or update or delete on view_order for each row
  execute function note_change('view', 'page', '', 'user', 'user_id');
-- Visits are counted and told to nobody: strangers would make the feed as long as they like.
create trigger note_change after insert or update or delete on share_link for each row
  execute function note_change('share', 'id', 'views,last_viewed_at', 'user', 'created_by');
create trigger note_change after insert or update or delete on share_link_vehicle for each row
  execute function note_change('share', 'link_id', '');
create trigger note_change after insert or update or delete on notification_setting for each row
  execute function note_change('notifications', 'account_id', 'changed_at,changed_by');
create trigger note_change after insert or update or delete on notification_choice for each row
  execute function note_change('my-notifications', 'user_id', '', 'user', 'user_id');
create trigger note_change after insert or update or delete on control_password for each row
  execute function note_change('control', 'account_id', '');
create trigger note_change after insert or update or delete on control_rule for each row
  execute function note_change('control', 'account_id', '');
create trigger note_change after insert or update or delete on command for each row
  execute function note_change('command', 'id', '', 'vehicle', 'vehicle_id');
-- An alarm that stands in every report is one alert: that it was seen again goes the way of positions.
create trigger note_change after insert or update or delete on alert for each row
  execute function note_change('alert', 'id', 'updated_at,count,event,lat,lon', 'vehicle', 'vehicle_id');
