-- A co-driver hears at once that driving is handed over to them; before, only the log that it is in said so.
create function note_handed_over() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into change (account_id, kind, thing, how, driver_id, user_id)
  select account_id, 'logbook', id::text, 'changed', id, user_id
  from driver
  where account_id = new.account_id
    and id = substring(new.entry::jsonb ->> 'to' from '^driver:(\d+)$')::integer;
  return null;
end $$;

create trigger note_handed_over after insert on duty_entry for each row when (new.action = 'hand-over')
  execute function note_handed_over();
