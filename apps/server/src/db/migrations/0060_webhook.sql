-- Alerts that leave the product by webhook: the addresses of an account, and each alert on its way there.

create table webhook (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  name text not null,
  url text not null,
  severities text[] not null,
  -- Null: every kind.
  kinds text[],
  is_on boolean not null,
  created_at timestamptz not null default now(),
  created_by uuid,
  unique (account_id, id),
  foreign key (account_id, created_by) references app_user (account_id, id) on delete set null (created_by)
);
create unique index webhook_name on webhook (account_id, lower(name));

-- Apart from the rest, so that no request can read it: it is shown when it is made, and signs from then on.
create table webhook_secret (
  webhook_id integer primary key,
  account_id integer not null references account on delete cascade,
  secret text not null,
  foreign key (account_id, webhook_id) references webhook (account_id, id) on delete cascade
);

create table webhook_delivery (
  id uuid primary key default gen_random_uuid(),
  account_id integer not null references account on delete cascade,
  webhook_id integer not null,
  -- Null for a test.
  alert_id uuid,
  noted_at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  -- When it is tried next; moved ahead while it is tried, so that it comes due again if the server ends meanwhile.
  next_at timestamptz,
  tries integer not null default 0,
  -- Of the last try.
  tried_at timestamptz,
  failure text,
  status smallint,
  took_ms integer,
  answer text,
  -- Written at the first try: what is tried again is the same.
  body text,
  check ((state = 'waiting') = (next_at is not null)),
  foreign key (account_id, webhook_id) references webhook (account_id, id) on delete cascade,
  foreign key (account_id, alert_id) references alert (account_id, id) on delete cascade
);
create index webhook_delivery_due on webhook_delivery (webhook_id, next_at) where next_at is not null;
create index webhook_delivery_newest on webhook_delivery (webhook_id, noted_at, id);
create index webhook_delivery_alert on webhook_delivery (account_id, alert_id);

-- Whoever writes an alert, and whenever the server ends: there is no alert without its deliveries.
create function queue_webhook_deliveries() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into webhook_delivery (account_id, webhook_id, alert_id, next_at)
  select new.account_id, id, new.id, now() from webhook
  where account_id = new.account_id and is_on and new.severity = any(severities)
    and (kinds is null or new.kind = any(kinds));
  return null;
end $$;
-- What came in when it was over for long is news to nobody.
create trigger alert_to_webhooks after insert on alert for each row
  when (new.acknowledged_at is null) execute function queue_webhook_deliveries();

create trigger note_change after insert or update or delete on webhook for each row
  execute function note_change('webhook', 'id', '');
create trigger note_change after insert or update or delete on webhook_delivery for each row
  execute function note_change('webhook-delivery', 'webhook_id', 'next_at,tries,tried_at,body');

grant select, insert, update, delete on webhook, webhook_delivery to milepost_account;
grant select (account_id, webhook_id), insert, update, delete on webhook_secret to milepost_account;
do $$
declare
  t text;
begin
  foreach t in array array['webhook', 'webhook_secret', 'webhook_delivery'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
