-- additive: a server before takes only deliveries of alerts, and leaves the others to those that know them.
-- What the desk asks of a driver's log also goes to the browsers that the driver turned push notifications on in.
alter table push_delivery alter column alert_id drop not null;
alter table push_delivery
  -- The driver who is asked, what for, and who asks; null for a delivery of an alert.
  add driver_id integer,
  add about text check (about in ('certification', 'proposals', 'unidentified')),
  add asked_by uuid,
  add foreign key (account_id, driver_id) references driver (account_id, id) on delete cascade,
  add check ((alert_id is null) = (reason = 'reminder')),
  add check (num_nulls(driver_id, about, asked_by) = case when reason = 'reminder' then 0 else 3 end);
alter table push_delivery drop constraint push_delivery_reason_check;
alter table push_delivery
  add constraint push_delivery_reason_check check (reason in ('opened', 'ruleEscalated', 'digest', 'reminder'));
create index push_delivery_driver on push_delivery (account_id, driver_id);
-- What waits to be sent says how much waits in the log, so there is one of it.
create unique index push_delivery_reminder on push_delivery (subscription_id, driver_id, about) where reason = 'reminder';
grant insert on push_delivery to milepost_account;
