-- A code for a new password, and the proof that it was right, end with the password or the address for which they were
-- asked for, whoever changes it.

create function end_password_recovery() returns trigger language plpgsql security definer set search_path from current as $$
begin
  delete from password_recovery where user_id = new.id;
  return null;
end $$;
create trigger app_user_ends_recovery after update of password_hash, email on app_user for each row
  when (old.password_hash is distinct from new.password_hash or old.email is distinct from new.email)
  execute function end_password_recovery();
