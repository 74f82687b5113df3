-- A driver's phone looks for days that driving was claimed on, of the last six months.
create index duty_entry_taken on duty_entry (account_id, log) where action in ('assume', 'take-over');
