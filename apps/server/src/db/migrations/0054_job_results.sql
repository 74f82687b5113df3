-- What came of a job, written when its work is done: by the transaction of the work itself where it has one, so that a
-- server that is killed right after doesn't do it again.
alter table job add column result jsonb;

-- One export and one import of an account at a time.
create unique index job_one_transfer on job (account_id, kind)
  where kind in ('data-export', 'data-import') and state in ('waiting', 'running');

-- Whoever deletes an export deletes what is known of it.
grant delete on job to milepost_account;
