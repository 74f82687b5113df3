-- Links to create the owner of a new installation, by the hash of their secret: each holds at every server of it. Of the
-- installation, not of an account: the role that serves requests does not see them.

create table first_owner_link (
  hash bytea primary key,
  -- The server that offers it; a link ends with its server.
  node uuid not null,
  offered_at timestamptz not null default now()
);
