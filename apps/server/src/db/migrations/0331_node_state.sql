-- What the servers of an installation say of themselves, for the page that lists them.

alter table node
  add column name text not null default '',
  -- Since when the live bus is away from this server; null if it is not.
  add column bus_away_since timestamptz,
  -- Its clock against that of the database.
  add column clock_ahead_ms integer not null default 0;

-- How far a server's rules, figures and visits are behind, as of `seen_at`: by account the moment from which positions
-- wait.
alter table projection_runner
  add column waiting jsonb not null default '{}';
