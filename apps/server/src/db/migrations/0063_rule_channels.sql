-- Who gets a rule's alerts by push and by webhook, who is responsible for it, and who gets them if nobody acknowledges.

alter table rule
  -- The users who get its alerts by push; null: everyone as they chose.
  add push_to uuid[],
  -- The webhooks that get them; null: those that take alerts from rules.
  add webhook_ids integer[],
  add owner_id uuid,
  -- After so many minutes without an acknowledgement these users get them, too.
  add escalate_minutes integer,
  add escalate_to uuid[],
  add check ((escalate_minutes is null) = (escalate_to is null)),
  add foreign key (account_id, owner_id) references app_user (account_id, id) on delete set null (owner_id);
update rule set owner_id = created_by;
create index rule_owner on rule (account_id, owner_id);

alter table alert
  -- When it goes to others if nobody has acknowledged it; null: never, or it did.
  add escalate_at timestamptz,
  -- When it did, and the names of those it went to.
  add escalation jsonb;
create index alert_escalation_due on alert (escalate_at) where escalate_at is not null;

alter table alert_mail drop constraint alert_mail_reason_check;
alter table alert_mail add constraint alert_mail_reason_check check (reason in ('opened', 'escalated', 'ruleEscalated'));
alter table push_delivery add reason text not null default 'opened' check (reason in ('opened', 'ruleEscalated'));

create or replace function queue_webhook_deliveries() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into webhook_delivery (account_id, webhook_id, alert_id, next_at)
  select new.account_id, webhook.id, new.id, now()
  from webhook left join rule on rule.account_id = new.account_id and rule.id = new.rule_id
  where webhook.account_id = new.account_id and webhook.is_on and case
    when rule.webhook_ids is null
      then new.severity = any(webhook.severities) and (webhook.kinds is null or new.kind = any(webhook.kinds))
    else webhook.id = any(rule.webhook_ids) end;
  return null;
end $$;

create or replace function queue_push_deliveries() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into push_delivery (account_id, subscription_id, alert_id)
  select new.account_id, subscription.id, new.id
  from push_subscription subscription left join rule on rule.account_id = new.account_id and rule.id = new.rule_id
  where subscription.account_id = new.account_id and case
    when rule.push_to is null then new.severity = any(subscription.severities)
    else subscription.user_id = any(rule.push_to) end;
  return null;
end $$;
