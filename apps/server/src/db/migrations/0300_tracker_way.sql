-- Which server sends a vehicle's commands, where several run: the one that has its tracker's first connection. It keeps
-- them when the connection ends, until another server has one.

create table tracker_way (
  vehicle_id integer primary key,
  account_id integer not null,
  node uuid not null,
  -- Another server that has a connection of the tracker, and waits until this one has none.
  wanted_by uuid,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
create index on tracker_way (node) where wanted_by is not null;
alter table tracker_way enable row level security;
create policy own_account on tracker_way to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());

-- The step that sends a command locks both, so that no other server takes them meanwhile; a lock needs a column that may
-- be written.
grant select, update (node) on tracker_way, vehicle_owner to milepost_account;
