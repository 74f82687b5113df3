-- Whether a browser takes an alert: asked when one is written, and by those who want to know whom a rule reaches.

create function push_takes(severities text[], user_id uuid, severity text, push_to uuid[]) returns boolean
language sql immutable as $$
  select case when push_to is null then severity = any(severities) else user_id = any(push_to) end
$$;

create or replace function queue_push_deliveries() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into push_delivery (account_id, subscription_id, alert_id)
  select new.account_id, subscription.id, new.id
  from push_subscription subscription left join rule on rule.account_id = new.account_id and rule.id = new.rule_id
  where subscription.account_id = new.account_id
    and push_takes(subscription.severities, subscription.user_id, new.severity, rule.push_to);
  return null;
end $$;
