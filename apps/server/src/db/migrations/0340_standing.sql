-- A vehicle that can't be recorded says since when and why, so that the desk, the driver and whoever runs the server
-- know. Kept here, so that it outlives a restart and is the same for all servers. docs/eld.md.
alter table recorder_fold
  add column failing_since timestamptz(3),
  add column failing_code text,
  -- `driver:12`: the log that breaks its own rules.
  add column failing_log text;
create index recorder_fold_failing on recorder_fold (account_id) where failing_since is not null;

create trigger note_change after update on recorder_fold for each row
  when (old.failing_since is distinct from new.failing_since or old.failing_code is distinct from new.failing_code)
  execute function note_log('logbook', 'driver_id', '');
create trigger note_broken_log after update on recorder_fold for each row
  when (new.failing_log is not null and new.failing_log is distinct from old.failing_log)
  execute function note_log('logbook', 'failing_log', '');
