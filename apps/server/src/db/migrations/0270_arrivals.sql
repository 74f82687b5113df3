-- For programs that follow what comes in (docs/integrations.md): rows in the order in which they were received. Both
-- tables grow in that order, so a block range index says which blocks to read at next to no cost for writers.
create index position_received on position using brin (received_at) with (pages_per_range = 32, autosummarize = on);
create index duty_entry_recorded on duty_entry using brin (recorded_at) with (pages_per_range = 32, autosummarize = on);
