-- Which server computes a vehicle's live state, where several run. A server's fence is another number after each time
-- that another took a vehicle from it: so it knows, while it writes, whether it still owns what it writes for.

create sequence node_fence;
alter table node add column fence bigint not null default nextval('node_fence');
-- The key of the lock that it holds while it writes.
alter table node add column lock_key integer not null generated always as identity;

create table vehicle_owner (
  vehicle_id integer primary key,
  account_id integer not null,
  node uuid not null,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
create index on vehicle_owner (node);
alter table vehicle_owner enable row level security;
create policy own_account on vehicle_owner to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
