-- How many alerts a day somebody wants by email and push at most; null: as many as there are. Critical ones always come.
alter table notification_choice add daily_limit integer check (daily_limit between 1 and 1000);

-- Which alerts reached whom by email or push, on which day of their clock; beyond the limit, with which digest.
create table alert_received (
  user_id uuid not null,
  alert_id uuid not null,
  account_id integer not null references account on delete cascade,
  day date not null,
  -- Null: right away.
  digest_at timestamptz,
  primary key (user_id, alert_id),
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade,
  foreign key (account_id, alert_id) references alert (account_id, id) on delete cascade
);
create index alert_received_day on alert_received (account_id, user_id, day);
create index alert_received_alert on alert_received (account_id, alert_id);
alter table alert_received enable row level security;
create policy own_account on alert_received to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
grant select on alert_received to milepost_account;

-- It waits, by `noted_at`, for its recipient's digest.
alter table alert_mail add is_beyond boolean not null default false;

-- One for each browser and digest, whatever it counts; its alert is the first of them.
alter table push_delivery drop constraint push_delivery_reason_check;
alter table push_delivery add check (reason in ('opened', 'ruleEscalated', 'digest'));
create unique index push_delivery_digest on push_delivery (subscription_id, noted_at) where reason = 'digest';
