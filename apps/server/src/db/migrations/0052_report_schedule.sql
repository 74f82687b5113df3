-- Reports that the server runs on its own, at times that follow from a rule in the account's time zone.

create table report_schedule (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  -- Whose it is; it goes with them.
  user_id uuid not null,
  name text not null,
  report text not null,
  format text not null,
  -- What is asked for, all but the days.
  query jsonb not null,
  -- Which days, as seen from the day on which it is due.
  period text not null,
  -- When it is due.
  rule jsonb not null,
  only_if_not_empty boolean not null,
  -- Who gets it: each what they may see themselves.
  recipients uuid[] not null,
  next_at timestamptz not null,
  last_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade
);
create index report_schedule_due on report_schedule (next_at);
create index report_schedule_of_user on report_schedule (account_id, user_id);

create trigger note_change after insert or update or delete on report_schedule for each row
  execute function note_change('view', 'id', '', 'user', 'user_id');

grant select, insert, update, delete on report_schedule to milepost_account;
alter table report_schedule enable row level security;
create policy own_account on report_schedule to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
