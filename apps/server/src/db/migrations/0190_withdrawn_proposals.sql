-- A proposed change can be withdrawn before the driver answers: the desk's list reads that as well. docs/eld.md.
drop index duty_entry_proposal;
create index duty_entry_proposal on duty_entry (account_id, recorded_at)
  where action in ('propose', 'accept', 'reject', 'withdraw');
