-- One row at a time, each by its primary key. A join is planned by the statistics of a moment at which nothing waited for
-- a number, and then compares every waiting change with every other: a minute for five thousand.
create or replace function number_changes() returns void language plpgsql as $$
declare
  unnumbered bigint;
begin
  if not exists (select from change where number is null) then
    return;
  end if;
  perform pg_advisory_xact_lock(7381040);
  for unnumbered in select id from change where number is null order by id limit 5000 loop
    update change set number = nextval('change_number') where id = unnumbered;
  end loop;
end $$;
