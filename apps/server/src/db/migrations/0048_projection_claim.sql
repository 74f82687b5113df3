-- Which server keeps what follows from a vehicle's positions: docs/architecture.md, "Projections".

create sequence projection_runner_id;

-- A running server. One that was not seen for a while has lost its claims.
create table projection_runner (
  id bigint primary key default nextval('projection_runner_id'),
  seen_at timestamptz not null default now()
);

create table projection_claim (
  account_id integer not null,
  vehicle_id integer primary key,
  runner bigint not null,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
create index projection_claim_runner on projection_claim (runner);

alter table projection_claim enable row level security;
create policy own_account on projection_claim to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
