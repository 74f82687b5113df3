-- Foreign keys look past row-level security: each carries the account, so that no row of one account is about what
-- another has. Rows that were would be nobody's; they go.

alter table session add unique (account_id, id);
alter table command add unique (account_id, id);
alter table alert add unique (account_id, id);

do $$
declare
  key record;
begin
  for key in
    select * from (values
      ('session', 'user_id', 'app_user'),
      ('invitation', 'user_id', 'app_user'),
      ('totp', 'user_id', 'app_user'),
      ('passkey', 'user_id', 'app_user'),
      ('recovery_code', 'user_id', 'app_user'),
      ('vehicle_state', 'vehicle_id', 'vehicle'),
      ('control_grant', 'session_id', 'session'),
      ('control_grant', 'command_id', 'command'),
      ('alert_notice', 'alert_id', 'alert'),
      ('alert_mail', 'alert_id', 'alert')
    ) as keys (child, col, parent)
  loop
    execute format('alter table %I drop constraint %I', key.child, key.child || '_' || key.col || '_fkey');
    execute format(
      'delete from %1$I where %2$I is not null and not exists (
         select from %3$I where %3$I.account_id = %1$I.account_id and %3$I.id = %1$I.%2$I)',
      key.child, key.col, key.parent);
    execute format(
      'alter table %1$I add foreign key (account_id, %2$I) references %3$I (account_id, id) on delete cascade',
      key.child, key.col, key.parent);
  end loop;
end $$;
