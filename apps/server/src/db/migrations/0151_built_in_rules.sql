-- What an account changed about an alert that needs no rule, such as silence or SOS: a rule for that kind. Kinds without
-- one are as Milepost has them.
alter table rule add built_in text;
create unique index rule_built_in on rule (account_id, built_in) where built_in is not null;
drop index rule_name;
create unique index rule_name on rule (account_id, lower(name)) where built_in is null;

-- Whatever code writes the alert, it goes to those whom its rule names.
create function attach_built_in_rule() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  known record;
begin
  select id, escalate_minutes into known from rule where account_id = new.account_id and built_in = new.kind;
  if found then
    new.rule_id := known.id;
    if new.acknowledged_at is null and known.escalate_minutes is not null then
      new.escalate_at := now() + make_interval(mins => known.escalate_minutes);
    end if;
  end if;
  return new;
end $$;
create trigger alert_built_in before insert on alert for each row
  when (new.kind <> 'rule') execute function attach_built_in_rule();
