-- What the tracker calls itself where that is not its IMEI: a telephone number, an ESN, a maker's number. Upper case and
-- without leading zeros, so that every way of writing it is one. Unique in the installation, as IMEIs are.
alter table vehicle add tracker_id text check (tracker_id ~ '^[1-9A-Z][0-9A-Z]{3,19}$');
create unique index vehicle_tracker_id on vehicle (tracker_id);
