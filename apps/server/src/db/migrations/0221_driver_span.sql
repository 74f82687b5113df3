-- Who drove what, from when until when: drivers who were signed in on the phone, and usual drivers. In memory as
-- `fleet/driver-spans.ts`; docs/organisation.md.

create table driver_span (
  account_id integer not null,
  id integer generated always as identity primary key,
  vehicle_id integer not null,
  driver_id integer not null,
  kind text not null check (kind in ('signed-in', 'usual')),
  -- Null: it isn't known since when; for all time before.
  from_at timestamptz(3),
  -- Null while it lasts.
  to_at timestamptz(3),
  check (kind = 'usual' or from_at is not null),
  check (from_at is null or to_at is null or from_at < to_at),
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade,
  foreign key (account_id, driver_id) references driver (account_id, id) on delete cascade
);
create index driver_span_vehicle on driver_span (vehicle_id, kind, from_at);
create index driver_span_driver on driver_span (account_id, driver_id);
create unique index driver_span_lasting on driver_span (vehicle_id, kind) where to_at is null;

-- Whatever code changes a vehicle's usual driver.
create function note_usual_driver() returns trigger language plpgsql security definer
set search_path from current as $$
begin
  if tg_op = 'UPDATE' then
    if new.usual_driver_id is not distinct from old.usual_driver_id then
      return null;
    end if;
    -- One that was changed again within a millisecond drove nothing.
    delete from driver_span
    where vehicle_id = new.id and kind = 'usual' and to_at is null and from_at >= date_trunc('milliseconds', now());
    update driver_span set to_at = now() where vehicle_id = new.id and kind = 'usual' and to_at is null;
  end if;
  if new.usual_driver_id is not null then
    insert into driver_span (account_id, vehicle_id, driver_id, kind, from_at)
    -- The first one that is known of counts for all time before.
    values (new.account_id, new.id, new.usual_driver_id, 'usual',
      case when exists (select from driver_span where vehicle_id = new.id and kind = 'usual') then now() end);
  end if;
  return null;
end $$;
create trigger note_usual_driver after insert or update of usual_driver_id on vehicle
  for each row execute function note_usual_driver();

-- What was before is not known: today's usual driver counts for it, as until now.
insert into driver_span (account_id, vehicle_id, driver_id, kind)
select account_id, id, usual_driver_id, 'usual' from vehicle where usual_driver_id is not null;

-- Sign-ins so far, from what drivers entered. A second driver who rides along does not drive.
insert into driver_span (account_id, vehicle_id, driver_id, kind, from_at, to_at)
select account_id, vehicle_id, driver_id, 'signed-in', from_at, to_at
from (
  select account_id, vehicle_id, who as driver_id, at as from_at,
    lead(at) over (partition by vehicle_id order by at, seq) as to_at
  from (
    select input.account_id, input.vehicle_id, input.at, input.seq,
      case action ->> 'kind'
        when 'sign-in' then input.driver_id
        when 'co-driver' then (action ->> 'coDriverId')::integer
      end as who
    from duty_input input
    join recorder_fold fold on fold.vehicle_id = input.vehicle_id
    where refusal is null and (
      (action ->> 'kind' = 'sign-in' and not coalesce((action ->> 'asCoDriver')::boolean, false))
      or action ->> 'kind' = 'sign-out'
      or (action ->> 'kind' = 'co-driver' and action ->> 'coDriverId' is not null))
  ) as seats
) as spans
where driver_id is not null and (to_at is null or from_at < to_at)
  and exists (select from driver where driver.id = spans.driver_id and driver.account_id = spans.account_id)
  -- The recorder's word on who is signed in now.
  and (to_at is not null
    or exists (select from recorder_fold fold where fold.vehicle_id = spans.vehicle_id and fold.driver_id = spans.driver_id));

create trigger note_change after insert or update or delete on driver_span for each row
  execute function note_change('vehicle', 'vehicle_id', '', 'vehicle', 'vehicle_id');

grant select, insert, update, delete on driver_span to milepost_account;
alter table driver_span enable row level security;
create policy own_account on driver_span to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
