-- What to do about a built-in alert and what it says are those of its time, as with the account's own rules; so is the
-- version whose sentence it has. Its name is that of its kind.
create or replace function attach_built_in_rule() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  known record;
begin
  select id, escalate_minutes, action, message, version into known
  from rule where account_id = new.account_id and built_in = new.kind;
  if found then
    new.rule_id := known.id;
    new.rule := jsonb_build_object('name', null, 'action', known.action, 'geofence', null, 'message', known.message,
      'version', known.version);
    if new.acknowledged_at is null and known.escalate_minutes is not null then
      new.escalate_at := now() + make_interval(mins => known.escalate_minutes);
    end if;
  end if;
  return new;
end $$;
