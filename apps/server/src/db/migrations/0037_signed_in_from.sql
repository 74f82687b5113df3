-- From where somebody has signed in, which is asked before anybody has shown who they are.
create index audit_entry_sign_in on audit_entry (user_id, address) where action = 'session.opened';
