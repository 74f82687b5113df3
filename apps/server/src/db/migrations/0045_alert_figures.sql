-- How fast, how empty, how warm: the figures of the reports that an alert stands on, in SI units, by name. Null before.
alter table alert add column figures jsonb;
