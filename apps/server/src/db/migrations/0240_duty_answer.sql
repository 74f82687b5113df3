-- Reports that come later may show that an entry counts after all, or doesn't: since when its answer is another one than
-- the driver was given, so that the phone can say so.
alter table duty_input add column answered_at timestamptz(3);
create index duty_input_answered on duty_input (account_id, driver_id, answered_at) where answered_at is not null;
