-- Saved views call the fleet table's column of documents by its name, among the columns and as what sorts the rows.

update saved_view
set query = regexp_replace(
  regexp_replace(query, '((?:^|&)sort=-?)papers(?=&|$)', '\1documents'),
  '((?:^|&)columns=[^&]*%2C)papers(?=[.%&]|$)', '\1documents')
where query like '%papers%';
