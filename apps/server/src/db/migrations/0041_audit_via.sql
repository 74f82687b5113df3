-- How the author of an entry came in: `via` a session, an API token, a sign-in, or the system itself.

alter table audit_entry rename column way to via;
alter table audit_entry rename constraint audit_entry_way_check to audit_entry_via_check;
