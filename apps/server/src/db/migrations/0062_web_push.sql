-- Alerts that leave the product by push notification: the browsers of users, and each alert on its way there.

-- The key by which push services know this installation (RFC 8292), made at the first start. No request reads it.
create table push_key (
  singleton boolean primary key default true check (singleton),
  public_key bytea not null,
  private_key bytea not null,
  created_at timestamptz not null default now()
);

create table push_subscription (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  user_id uuid not null,
  -- The session it was made in, or renewed.
  session_id uuid,
  endpoint text not null unique,
  p256dh bytea not null,
  auth bytea not null,
  severities text[] not null,
  user_agent text,
  created_at timestamptz not null default now(),
  last_sent_at timestamptz,
  unique (account_id, id),
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade,
  foreign key (account_id, session_id) references session (account_id, id) on delete set null (session_id)
);
create index push_subscription_user on push_subscription (account_id, user_id);
create index push_subscription_session on push_subscription (session_id);

-- A row goes when it was delivered, or when it is no longer news.
create table push_delivery (
  id bigint generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  subscription_id integer not null,
  alert_id uuid not null,
  noted_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  tries integer not null default 0,
  foreign key (account_id, subscription_id) references push_subscription (account_id, id) on delete cascade,
  foreign key (account_id, alert_id) references alert (account_id, id) on delete cascade
);
create index push_delivery_due on push_delivery (next_at);
create index push_delivery_subscription on push_delivery (account_id, subscription_id);
create index push_delivery_alert on push_delivery (account_id, alert_id);

create function queue_push_deliveries() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into push_delivery (account_id, subscription_id, alert_id)
  select new.account_id, id, new.id from push_subscription
  where account_id = new.account_id and new.severity = any(severities);
  return null;
end $$;
-- What comes late is told to nobody live.
create trigger alert_to_push after insert on alert for each row
  when (new.acknowledged_at is null and not new.late) execute function queue_push_deliveries();

-- A session that is ended (signed out, ended from elsewhere, a new password) takes its browser along. One that expires
-- does not: alerts are for those who aren't looking. Before the foreign key forgets the session.
create function end_push_of_session() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  delete from push_subscription where session_id = old.id;
  return old;
end $$;
create trigger end_push before delete on session for each row
  when (old.expires_at > now()) execute function end_push_of_session();

create trigger note_change after insert or update or delete on push_subscription for each row
  execute function note_change('my-notifications', 'user_id', 'last_sent_at,session_id', 'user', 'user_id');

grant select, insert, update, delete on push_subscription to milepost_account;
grant select on push_delivery to milepost_account;
do $$
declare
  t text;
begin
  foreach t in array array['push_subscription', 'push_delivery'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
