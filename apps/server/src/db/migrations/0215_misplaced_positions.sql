-- Until now, a position that was on its way while its month was made could end up in the default partition, where no
-- query of that month looks. Each goes to its month, and is counted as one that came late.
do $$
declare
  part record;
  first_day timestamptz;
begin
  for part in
    select c.relname as name, substring(c.relname from '^position_(\d{4}_\d{2})$') as month
    from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = 'position'::regclass and c.relname ~ '^position_\d{4}_\d{2}$'
  loop
    first_day := to_timestamp(part.month || '_01 00:00:00 +00', 'YYYY_MM_DD HH24:MI:SS TZH');
    with misplaced as (
      delete from position_other
      where fix_at >= first_day and fix_at < (first_day at time zone 'UTC' + interval '1 month') at time zone 'UTC'
      returning *
    )
    insert into position select * from misplaced on conflict do nothing;
  end loop;
end $$;
