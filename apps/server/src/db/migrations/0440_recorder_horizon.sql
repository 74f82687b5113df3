-- Whoever stores a position marks it for the recorder only if the vehicle is recorded as far as they see. A transaction
-- that was open at the vehicle's first sign-in may have seen none, and be committed after the recorder has looked: the
-- mark of that sign-in stays until all of them are over.
-- 0: the recorder has not looked since; else the first transaction that saw the sign-in for sure.
alter table recorder_late add column waits_for xid8;
