-- Part of the transaction in which a server stores reports: until it ends, nobody takes a vehicle from this server, and
-- nobody has since its fence had this number. The lock is the one that whoever takes a vehicle over waits for. Volatile,
-- so that the fence is read when the lock is there.
create function keep_fence(server uuid, server_lock integer, expected bigint) returns boolean
language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(1835625576, server_lock);
  if not exists (select from node where id = server and fence = expected) then
    raise exception 'Another server has taken vehicles over' using errcode = 'MP001';
  end if;
  return true;
end;
$$;
