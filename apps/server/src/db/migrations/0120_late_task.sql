-- Alerts about tasks that will be late; docs/tasks.md.

alter table alert
  add task_id integer,
  -- The task as it was then, when its driver can be there, and why it is late: the contract's `alertTaskSchema`.
  add task jsonb,
  add foreign key (account_id, task_id) references task (account_id, id) on delete set null (task_id);

drop index alert_lasting;
create unique index alert_lasting on alert (vehicle_id, kind)
  where closed_at is null and kind not in ('rule', 'restricted', 'taskLate');
-- One alert for each task of a driver that is late.
create unique index alert_late_task on alert (task_id) where kind = 'taskLate' and closed_at is null;
create index alert_of_task on alert (account_id, task_id) where task_id is not null;
