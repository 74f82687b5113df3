-- Whom an alert was sent to stays with the alert when the user is deleted; what still waited for them goes.
-- additive: only foreign keys are dropped; an older server tells less, as before.

do $$
declare kept record;
begin
  for kept in
    select conrelid::regclass as child, conname as name from pg_constraint
    where contype = 'f' and confrelid = 'app_user'::regclass
      and conrelid in ('alert_mail'::regclass, 'push_outcome'::regclass)
  loop
    execute format('alter table %s drop constraint %I', kept.child, kept.name);
  end loop;
end $$;

create function drop_waiting_mail() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  delete from alert_mail
  where account_id = old.account_id and user_id = old.id and sent_at is null and given_up_at is null;
  return null;
end $$;
create trigger drop_waiting_mail after delete on app_user for each row execute function drop_waiting_mail();
