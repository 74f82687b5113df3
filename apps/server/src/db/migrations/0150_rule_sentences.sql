-- What a rule said after a change, for its sentence in the audit log; null for all else.
alter table audit_entry add column rule jsonb;
