-- How many days what came of a job can be looked up; null: as long as of most.
alter table job add column kept_days smallint;
create index job_report_run on job (account_id, user_id, created_at desc) where kind = 'report-run';
