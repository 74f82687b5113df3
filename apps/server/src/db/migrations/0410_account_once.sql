-- Whose rows may be seen is asked once a query, not for each of millions of positions.
alter policy own_account on position
  using (account_id = (select current_account())) with check (account_id = (select current_account()));
alter policy own_account on sealed_day
  using (account_id = (select current_account())) with check (account_id = (select current_account()));
