-- Tasks of drivers: what the desk asks for, every step as the driver reports it, and what proves that it is done.

create table task (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  -- As programs name it on the socket; a higher number replaces what was assigned before.
  task_id text not null,
  seq_no integer not null default 0,
  title text not null,
  ref text,
  priority text not null,
  notes text,
  due_from timestamptz,
  due_to timestamptz,
  -- The contract's `TaskStop`s, in their order.
  stops jsonb not null,
  needs_photo boolean not null,
  needs_signature boolean not null,
  state text not null,
  reason text,
  driver_id integer,
  vehicle_id integer,
  created_by uuid,
  assigned_by uuid,
  assigned_at timestamptz,
  answer_by timestamptz,
  note text,
  signed_by text,
  -- When nothing more can happen to it.
  over_at timestamptz,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  unique (account_id, id),
  unique (account_id, task_id),
  foreign key (account_id, driver_id) references driver (account_id, id) on delete set null (driver_id),
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete set null (vehicle_id),
  foreign key (account_id, created_by) references app_user (account_id, id) on delete set null (created_by),
  foreign key (account_id, assigned_by) references app_user (account_id, id) on delete set null (assigned_by)
);
create index task_of_driver on task (account_id, driver_id) where driver_id is not null;
create index task_of_vehicle on task (account_id, vehicle_id) where vehicle_id is not null;
create index task_of_creator on task (account_id, created_by);
create index task_of_assigner on task (account_id, assigned_by);
create index task_not_over on task (account_id) where over_at is null;
create index task_over on task (account_id, over_at) where over_at is not null;

-- Each step once, by the id that the phone gave it.
create table task_step (
  account_id integer not null,
  task_id integer not null,
  report_id uuid not null,
  state text not null,
  at timestamptz not null,
  done_by text not null,
  user_id uuid,
  written_at timestamptz not null default now(),
  primary key (task_id, report_id),
  foreign key (account_id, task_id) references task (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references app_user (account_id, id) on delete set null (user_id)
);
create index task_step_of_account on task_step (account_id, task_id);
create index task_step_of_user on task_step (account_id, user_id);

-- Photos and signatures, re-encoded.
create table task_proof (
  account_id integer not null,
  task_id integer not null,
  proof_id uuid not null,
  kind text not null,
  content bytea not null,
  written_at timestamptz not null default now(),
  primary key (task_id, proof_id),
  foreign key (account_id, task_id) references task (account_id, id) on delete cascade
);
create index task_proof_of_account on task_proof (account_id, task_id);
create unique index task_signature on task_proof (task_id) where kind = 'signature';

create trigger note_change after insert or update or delete on task for each row
  execute function note_change('task', 'id', 'changed_at', 'driver', 'driver_id');
create trigger note_change after insert or update or delete on task_proof for each row
  execute function note_change('task', 'task_id', 'content');

grant select, insert, update, delete on task, task_step, task_proof to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['task', 'task_step', 'task_proof'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account
         using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
