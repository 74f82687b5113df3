-- Work that somebody started and that goes on without them. pg-boss carries it; what it is, how far it is and what came
-- of it stands here, behind the wall of accounts.

create table job (
  id uuid primary key default gen_random_uuid(),
  account_id integer not null references account (id) on delete cascade,
  user_id uuid not null,
  kind text not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  -- What everybody who sees the job may read.
  about jsonb not null,
  -- What only the runner reads: it may hold secrets, and is emptied when the job ends.
  work jsonb not null,
  done integer not null default 0,
  total integer not null,
  cancel_asked boolean not null default false,
  -- Why it failed: a problem of the contract.
  problem jsonb,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  unique (account_id, id),
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade
);
create index job_of_user on job (account_id, user_id, created_at desc);
create index job_open on job (created_at) where state in ('waiting', 'running');
create index job_ended on job (ended_at);

create trigger note_change after insert or update or delete on job for each row
  execute function note_change('job', 'id', 'work', 'user', 'user_id');

-- A command for many vehicles: what came of each.
create table command_run_vehicle (
  account_id integer not null,
  job_id uuid not null,
  place integer not null,
  vehicle_id integer not null,
  -- Chosen before the command is written: a run that is taken up again finds what it has sent.
  command_id uuid not null default gen_random_uuid(),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'refused')),
  problem jsonb,
  primary key (job_id, place),
  unique (job_id, vehicle_id),
  foreign key (account_id, job_id) references job (account_id, id) on delete cascade,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
create index command_run_vehicle_of_vehicle on command_run_vehicle (account_id, vehicle_id);

grant select, insert, update on job, command_run_vehicle to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['job', 'command_run_vehicle'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
