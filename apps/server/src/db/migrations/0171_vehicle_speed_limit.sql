-- A vehicle's own speed limit, in km/h; null for none.
alter table vehicle add speed_limit_kmh real;
