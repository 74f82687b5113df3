-- What else must be true for a rule to count: who drives, how fast, with which ignition; null for nothing.
alter table rule add conditions jsonb;
-- What rules about a geofence's speed limit compare with, in km/h; null for none.
alter table geofence add speed_limit_kmh real;
