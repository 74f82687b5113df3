-- A report whose time can't be right is for its vehicle's recorder, too: a timing malfunction (49 CFR 395 Subpart B,
-- Appendix A, 4.6.1.3), from the moment of its reception. One mark is enough while the malfunction lasts; rows that are
-- moved to another partition later, or imported, are no news.
create function mark_wrong_clock() returns trigger language plpgsql security definer
set search_path from current as $$
begin
  insert into recorder_late (account_id, vehicle_id, from_at)
  select account_id, vehicle_id, new.received_at from recorder_fold
  where vehicle_id = new.vehicle_id and new.received_at > now() - interval '2 days' and not coalesce(state #> '{faults,active}' ? 'T', false);
  return null;
end $$;
-- Bit 1 of the doubts: more than ten minutes ahead of its reception, or fifteen years behind.
create trigger wrong_clock after insert on position for each row when (new.doubts & 2 <> 0)
  execute function mark_wrong_clock();
create trigger wrong_clock after insert on private_position for each row
  when (new.fix_at > new.received_at + interval '10 minutes' or new.fix_at < new.received_at - interval '15 years')
  execute function mark_wrong_clock();
