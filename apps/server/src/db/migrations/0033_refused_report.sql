-- A vehicle reports over the protocol of its newest report; over another only once its owner allows it.
update vehicle set protocol = vehicle_state.newest->>'protocol'
from vehicle_state
where vehicle_state.vehicle_id = vehicle.id and vehicle_state.newest->>'protocol' is not null
  and vehicle.protocol is distinct from vehicle_state.newest->>'protocol';

-- What came for a vehicle over another protocol, and was refused. One row a protocol: it can't grow.
create table refused_report (
  account_id integer not null references account on delete cascade,
  vehicle_id integer not null,
  protocol text not null,
  remote_address text,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  times integer not null,
  primary key (vehicle_id, protocol),
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
grant select on refused_report to milepost_account;
alter table refused_report enable row level security;
create policy own_account on refused_report to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
