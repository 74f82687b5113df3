-- Detention: how long a vehicle may stay for free, and what an hour costs after that, in the account's currency.
-- A geofence without its own has its group's.
alter table geofence_group
  add detention_free_minutes integer,
  add detention_per_hour double precision,
  add check (num_nulls(detention_free_minutes, detention_per_hour) in (0, 2));
alter table geofence
  add detention_free_minutes integer,
  add detention_per_hour double precision,
  add check (num_nulls(detention_free_minutes, detention_per_hour) in (0, 2));
