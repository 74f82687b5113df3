-- Whether visitors of a link read the names of the geofences that its vehicles are inside.
alter table share_link add show_geofences boolean not null default false;
