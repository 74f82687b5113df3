-- The record that a status entered outside of a vehicle became. The recorder of a vehicle could only guess which record
-- of a second was its own, where the driver had entered the same status inside and outside of the vehicle within it.
alter table duty_input add column record uuid;
