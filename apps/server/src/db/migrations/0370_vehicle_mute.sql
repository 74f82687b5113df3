-- One vehicle that is quiet for a while, such as one in the workshop: its alerts are written as always, and notify
-- nobody. One rule or built-in alert of it, or all of them.

create table vehicle_mute (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  vehicle_id integer not null,
  -- One of the account's own rules, or a kind of built-in alerts; neither: all alerts.
  rule_id integer,
  kind text,
  about text not null generated always as (coalesce(rule_id::text, kind, '')) stored,
  begun_at timestamptz not null default now(),
  begun_by uuid,
  -- Null: until someone ends it.
  ends_at timestamptz,
  check (rule_id is null or kind is null),
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade,
  foreign key (account_id, rule_id) references rule (account_id, id) on delete cascade,
  foreign key (account_id, begun_by) references app_user (account_id, id) on delete set null (begun_by)
);
create unique index vehicle_mute_one on vehicle_mute (account_id, vehicle_id, about);
create index vehicle_mute_rule on vehicle_mute (account_id, rule_id);
create index vehicle_mute_author on vehicle_mute (account_id, begun_by);

-- A call for help and a request for a second person are not among "all".
create function vehicle_is_muted(account integer, vehicle integer, rule integer, alert_kind text, at timestamptz)
returns boolean
language sql stable set search_path from current as $$
  select exists (
    select from vehicle_mute
    where account_id = account and vehicle_id = vehicle and coalesce(ends_at > at, true)
      and (rule_id = rule or kind = alert_kind
        or rule_id is null and kind is null and alert_kind not in ('sos', 'secondPerson')))
$$;

create or replace function mute_alert() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if new.is_muted or rule_is_muted(new.account_id, new.rule_id, new.kind, now())
    or vehicle_is_muted(new.account_id, new.vehicle_id, new.rule_id, new.kind, now()) then
    new.is_muted := true;
    new.escalate_at := null;
  end if;
  return new;
end $$;

create trigger note_change after insert or update or delete on vehicle_mute for each row
  execute function note_change('vehicle-mute', 'vehicle_id', '', 'vehicle', 'vehicle_id');

grant select, insert, update, delete on vehicle_mute to milepost_account;
alter table vehicle_mute enable row level security;
create policy own_account on vehicle_mute to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
