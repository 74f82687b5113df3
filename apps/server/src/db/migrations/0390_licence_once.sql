-- One driver for a license in a carrier (Appendix A, 4.1.2), also where it is written otherwise: R234-5678, "r234 5678".
-- additive: a server before this one answers a second driver of such a license with an error of its own.

-- Who issued it, and its number without spaces and punctuation; null without a number.
create function licence_key(region text, number text) returns text language sql immutable parallel safe
  return upper(trim(coalesce(region, ''))) || ' ' || nullif(upper(translate(number, E' \t\u00A0-./_\u2010\u2011\u2012\u2013\u2014', '')), '');

-- Drivers that have one already stay: the first of them counts, those who still drive before those who are archived.
do $$
declare
  doubled text;
begin
  select string_agg(id::text, ', ') into doubled from (
    select id, row_number() over (
      partition by account_id, licence_key(licence_region, licence_number) order by archived, id
    ) as place
    from driver where licence_key(licence_region, licence_number) is not null
  ) as ranked
  where place > 1;
  execute 'create unique index driver_licence_once on driver (account_id, licence_key(licence_region, licence_number))'
    || coalesce(' where id not in (' || doubled || ')', '');
end $$;
