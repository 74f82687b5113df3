-- Whether a webhook gets an alert, asked alike by what sends alerts and by what says whom a rule would reach.

create function webhook_takes(is_on boolean, severities text[], kinds text[], id integer, severity text, kind text, webhook_ids integer[])
returns boolean language sql immutable as $$
  select is_on and case
    when webhook_ids is null then severity = any(severities) and (kinds is null or kind = any(kinds))
    else id = any(webhook_ids) end
$$;

create or replace function queue_webhook_deliveries() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into webhook_delivery (account_id, webhook_id, alert_id, next_at)
  select new.account_id, webhook.id, new.id, now()
  from webhook left join rule on rule.account_id = new.account_id and rule.id = new.rule_id
  where webhook.account_id = new.account_id and webhook_takes(
    webhook.is_on, webhook.severities, webhook.kinds, webhook.id, new.severity, new.kind, rule.webhook_ids);
  return null;
end $$;
