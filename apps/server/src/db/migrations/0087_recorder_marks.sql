-- Positions from before a vehicle was recorded are nothing to it: old history that a tracker sends would otherwise have
-- everything recorded again.
create or replace function mark_recorder_late() returns trigger language plpgsql security definer
set search_path from current as $$
begin
  insert into recorder_late (account_id, vehicle_id, from_at)
  select account_id, vehicle_id, new.first_at from recorder_fold
  where vehicle_id = new.vehicle_id and new.last_at >= (
    select to_timestamp((state #>> '{recorder,at}')::float8 / 1000) from recorder_day
    where recorder_day.vehicle_id = new.vehicle_id order by day limit 1
  );
  return null;
end $$;
