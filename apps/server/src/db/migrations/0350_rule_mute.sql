-- Rules that are quiet for a while: alerts are written as always, and notify nobody, or not one user.

create table rule_mute (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  -- One of the account's own rules, or a kind of built-in alerts.
  rule_id integer,
  kind text,
  about text not null generated always as (coalesce(rule_id::text, kind)) stored,
  -- Null: for everyone.
  user_id uuid,
  begun_at timestamptz not null default now(),
  begun_by uuid,
  -- Null: until someone ends it.
  ends_at timestamptz,
  check ((rule_id is null) <> (kind is null)),
  foreign key (account_id, rule_id) references rule (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade,
  foreign key (account_id, begun_by) references app_user (account_id, id) on delete set null (begun_by)
);
create unique index rule_mute_one on rule_mute (account_id, about, user_id) nulls not distinct;
create index rule_mute_rule on rule_mute (account_id, rule_id);
create index rule_mute_user on rule_mute (account_id, user_id);
create index rule_mute_author on rule_mute (account_id, begun_by);

create function rule_is_muted(account integer, rule integer, alert_kind text, at timestamptz) returns boolean
language sql stable set search_path from current as $$
  select exists (
    select from rule_mute
    where account_id = account and (rule_id = rule or kind = alert_kind) and user_id is null
      and coalesce(ends_at > at, true))
$$;

create function rule_muted_by(account integer, rule integer, alert_kind text, at timestamptz) returns uuid[]
language sql stable set search_path from current as $$
  select coalesce(array_agg(user_id), '{}') from rule_mute
  where account_id = account and (rule_id = rule or kind = alert_kind) and user_id is not null
    and coalesce(ends_at > at, true)
$$;

-- Its rule was muted for everyone when it opened: it notified nobody, and goes to nobody later.
alter table alert add is_muted boolean not null default false;

create function mute_alert() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if new.is_muted or rule_is_muted(new.account_id, new.rule_id, new.kind, now()) then
    new.is_muted := true;
    new.escalate_at := null;
  end if;
  return new;
end $$;
-- After `alert_built_in`, by its name.
create trigger alert_muted before insert on alert for each row
  when (new.acknowledged_at is null) execute function mute_alert();

create or replace function note_alert() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into alert_notice (alert_id, account_id)
  select new.id, new.account_id from notification_setting
  where account_id = new.account_id and mail and not new.is_muted;
  return null;
end $$;

create or replace function queue_webhook_deliveries() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into webhook_delivery (account_id, webhook_id, alert_id, next_at)
  select new.account_id, webhook.id, new.id, now()
  from webhook left join rule on rule.account_id = new.account_id and rule.id = new.rule_id
  where webhook.account_id = new.account_id and not new.is_muted and webhook_takes(
    webhook.is_on, webhook.severities, webhook.kinds, webhook.id, new.severity, new.kind, rule.webhook_ids);
  return null;
end $$;

create or replace function queue_push_deliveries() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into push_delivery (account_id, subscription_id, alert_id)
  select new.account_id, subscription.id, new.id
  from push_subscription subscription left join rule on rule.account_id = new.account_id and rule.id = new.rule_id
  where subscription.account_id = new.account_id and not new.is_muted
    and push_takes(subscription.severities, subscription.user_id, new.severity, rule.push_to);
  return null;
end $$;

-- A built-in alert's kind stands in for its id, so that pages that show it read it again.
create trigger note_change after insert or update or delete on rule_mute for each row
  execute function note_change('rule', 'about', '');

grant select, insert, update, delete on rule_mute to milepost_account;
alter table rule_mute enable row level security;
create policy own_account on rule_mute to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
