-- The task of a share link: its visitors read when the vehicle is expected there.
alter table share_link
  add task_id integer,
  add foreign key (account_id, task_id) references task (account_id, id) on delete set null (task_id);
create index share_link_of_task on share_link (account_id, task_id) where task_id is not null;
