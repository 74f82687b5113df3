-- What was done about an alert, as whoever acknowledged it wrote, and rules whose alerts need that.

alter table alert add column note text check (length(note) between 1 and 500);
alter table rule add column needs_note boolean not null default false;

create or replace function attach_built_in_rule() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  known record;
begin
  select id, escalate_minutes, action, needs_note, message, version into known
  from rule where account_id = new.account_id and built_in = new.kind;
  if found then
    new.rule_id := known.id;
    new.rule := jsonb_build_object('name', null, 'action', known.action, 'needsNote', known.needs_note, 'geofence', null,
      'message', known.message, 'version', known.version);
    if new.acknowledged_at is null and known.escalate_minutes is not null then
      new.escalate_at := now() + make_interval(mins => known.escalate_minutes);
    end if;
  end if;
  return new;
end $$;
