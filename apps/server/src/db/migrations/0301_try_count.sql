-- Tries and calls that several servers count together, by hashed key. Of the installation, not of an account: the role
-- that serves requests does not see it.

create table try_count (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
create index on try_count (expire);
