-- Where a vehicle's tracker may report from: addresses and ranges. None is anywhere.
alter table vehicle add column tracker_addresses text[] not null default '{}';

-- What speaks against a refused report: another protocol, or an address that the vehicle is not bound to.
alter table refused_report add column cause text not null default 'protocol';
alter table refused_report alter column cause drop default;
alter table refused_report drop constraint refused_report_pkey;
alter table refused_report add primary key (vehicle_id, protocol, cause);

-- The last of them, so that their owner can judge who it was: few, short, for seven days.
create table refused_frame (
  id bigint generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  vehicle_id integer not null,
  protocol text not null,
  cause text not null,
  remote_address text,
  received_at timestamptz not null,
  -- The first bytes; `length` is that of the whole.
  frame bytea not null check (octet_length(frame) <= 512),
  length integer not null,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
create index refused_frame_of_vehicle on refused_frame (vehicle_id, id);
create index refused_frame_by_age on refused_frame (received_at);
grant select on refused_frame to milepost_account;
alter table refused_frame enable row level security;
create policy own_account on refused_frame to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());

-- What contradicted what, in SI units; null for every other kind of alert.
alter table alert add column conflict jsonb;
