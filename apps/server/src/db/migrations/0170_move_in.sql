-- Files that are moved in from are checked and imported by a job; one at a time in an account, as with imports of exports.
drop index job_one_transfer;
create unique index job_one_transfer on job (account_id, kind)
  where kind in ('data-export', 'data-import', 'move-in') and state in ('waiting', 'running');
