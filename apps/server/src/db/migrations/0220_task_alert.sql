-- An alert can be about a task alone: an open one that no driver can make, or a late one whose driver has no vehicle.
-- Those who may see the task may see it; docs/tasks.md.
--
-- not additive: an older server expects a vehicle in each alert.

alter table alert alter column vehicle_id drop not null,
  add check (vehicle_id is not null or kind in ('taskLate', 'taskNoDriver'));

-- One alert for each open task that nobody can make.
create unique index alert_no_driver on alert (task_id) where kind = 'taskNoDriver' and closed_at is null;
create index alert_of_tasks on alert (account_id, opened_at) where vehicle_id is null;
