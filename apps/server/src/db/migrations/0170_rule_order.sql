-- The place of a geofence in the order of visits of a rule, from 0; all 0 of rules about none.
alter table rule_geofence add place integer not null default 0;
