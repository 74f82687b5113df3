-- A mail that may not go now waits beside others: what is in it says so, not the pace of its reader.

alter table alert_mail
  -- The alert's, which stays as it is: what may go now is found without what may not.
  add severity text,
  -- When the mail was begun that it is in.
  add begun_at timestamptz;
update alert_mail set severity = alert.severity from alert where alert.id = alert_mail.alert_id;
update alert_mail set begun_at = coalesce(pace.mail_since, noted_at)
  from alert_mail_pace as pace where pace.user_id = alert_mail.user_id and alert_mail.mail_id is not null;
alter table alert_mail alter severity set not null;

drop index alert_mail_waiting;
create index alert_mail_waiting on alert_mail (user_id, severity, noted_at) where sent_at is null and given_up_at is null;
create index alert_mail_begun on alert_mail (user_id, mail_id)
  where mail_id is not null and sent_at is null and given_up_at is null;

alter table alert_mail_pace drop mail_id, drop mail_since;
