-- Written with every batch of positions, read once at start, never searched inside: json keeps the text as it comes,
-- which costs a third of jsonb's parsing, and half-filled pages let an update stay in its page (HOT).
alter table vehicle_state alter column live type json, alter column newest type json;
alter table vehicle_state set (fillfactor = 50);
