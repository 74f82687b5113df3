-- What came of a push notification, by alert and browser: its row in the queue goes when it has left.
create table push_outcome (
  id bigint generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  alert_id uuid not null,
  user_id uuid not null,
  user_agent text,
  reason text not null check (reason in ('opened', 'ruleEscalated')),
  outcome text not null check (outcome in ('sent', 'failed', 'quiet', 'limit')),
  noted_at timestamptz not null,
  ended_at timestamptz not null,
  foreign key (account_id, alert_id) references alert (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade
);
create index push_outcome_alert on push_outcome (account_id, alert_id);
create index push_outcome_user on push_outcome (account_id, user_id);
create index push_outcome_ended on push_outcome (ended_at);
grant select on push_outcome to milepost_account;
alter table push_outcome enable row level security;
create policy own_account on push_outcome to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
