-- Recording duty is a right of its own: drivers have it, also those with a role of the account's making.
update custom_role set permissions = array_append(permissions, 'logbook.own')
  where based_on = 'driver' and not permissions @> array['logbook.own'];
