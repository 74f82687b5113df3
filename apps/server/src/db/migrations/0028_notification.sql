-- Alerts that leave the product by mail: what an account and each user has decided, and what is on its way.

create table notification_setting (
  account_id integer primary key references account on delete cascade,
  mail boolean not null,
  kinds text[] not null,
  -- On the wall of the account's time zone; `22:00`.
  quiet_from text,
  quiet_to text,
  critical_breaks boolean not null,
  escalate_after_minutes integer,
  changed_at timestamptz not null default now(),
  changed_by uuid,
  foreign key (account_id, changed_by) references app_user (account_id, id) on delete set null (changed_by),
  check ((quiet_from is null) = (quiet_to is null))
);

create table notification_choice (
  user_id uuid primary key,
  account_id integer not null references account on delete cascade,
  -- Null: as the organisation.
  kinds text[],
  escalations boolean not null,
  quiet text not null,
  quiet_from text,
  quiet_to text,
  critical_breaks boolean not null,
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade,
  check ((quiet_from is null) = (quiet_to is null))
);

-- Alerts of which somebody is to be told, written in the transaction of the alert.
create table alert_notice (
  alert_id uuid primary key references alert on delete cascade,
  account_id integer not null references account on delete cascade,
  noted_at timestamptz not null default now(),
  -- When it was decided who hears of it.
  spread_at timestamptz
);
create index alert_notice_account on alert_notice (account_id);

-- An alert on its way to somebody, or there.
create table alert_mail (
  id bigint generated always as identity primary key,
  alert_id uuid not null references alert on delete cascade,
  user_id uuid not null,
  reason text not null check (reason in ('opened', 'escalated')),
  account_id integer not null references account on delete cascade,
  noted_at timestamptz not null,
  -- The mail that it is in.
  mail_id uuid,
  sent_at timestamptz,
  given_up_at timestamptz,
  unique (alert_id, user_id, reason),
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade
);
create index alert_mail_account on alert_mail (account_id, user_id);
create index alert_mail_waiting on alert_mail (user_id) where sent_at is null and given_up_at is null;

-- How the mails of somebody go: one at a time.
create table alert_mail_pace (
  user_id uuid primary key,
  account_id integer not null references account on delete cascade,
  next_at timestamptz not null,
  tries integer not null default 0,
  -- The mail that was begun and did not end well yet; what is in it stays, so that it is the same mail when it comes twice.
  mail_id uuid,
  mail_since timestamptz,
  last_sent_at timestamptz,
  last_failure text,
  last_failed_at timestamptz,
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade
);
create index alert_mail_pace_account on alert_mail_pace (account_id);

-- Whoever writes an alert, and whenever the server ends: there is no alert without its notice.
create function note_alert() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into alert_notice (alert_id, account_id)
  select new.id, new.account_id from notification_setting where account_id = new.account_id and mail;
  return null;
end $$;
-- What came in when it was over for long waits for nobody.
create trigger alert_noted after insert on alert for each row
  when (new.acknowledged_at is null) execute function note_alert();

grant select, insert, update, delete on notification_setting, notification_choice to milepost_account;
grant select on alert_notice, alert_mail, alert_mail_pace to milepost_account;
do $$
declare t text;
begin
  foreach t in array array[
    'notification_setting', 'notification_choice', 'alert_notice', 'alert_mail', 'alert_mail_pace'
  ] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
