-- Rules of an account, and the alerts they make. They follow from the positions, as visits do; docs/rules.md.

create table rule (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  name text not null,
  is_on boolean not null,
  severity text not null,
  -- The contract's `RuleTrigger`, and its `RuleWhen`.
  "trigger" jsonb not null,
  "when" jsonb,
  -- Otherwise only those in `rule_geofence`.
  is_any_geofence boolean not null,
  is_inside boolean not null,
  -- Otherwise only those in `rule_vehicle`.
  is_for_all boolean not null,
  repeat_minutes integer not null,
  action text,
  -- The users who get its alerts by email; null: everyone as they chose.
  mail_to uuid[],
  -- Counts changes of what decides about alerts. What happened before `since` is not alerted.
  version integer not null default 1,
  since timestamptz not null default now(),
  created_at timestamptz not null default now(),
  created_by uuid,
  changed_at timestamptz not null default now(),
  unique (account_id, id),
  foreign key (account_id, created_by) references app_user (account_id, id) on delete set null (created_by)
);
create unique index rule_name on rule (account_id, lower(name));
create index rule_creator on rule (account_id, created_by);

create table rule_geofence (
  account_id integer not null,
  rule_id integer not null,
  geofence_id integer not null,
  primary key (rule_id, geofence_id),
  foreign key (account_id, rule_id) references rule (account_id, id) on delete cascade,
  foreign key (account_id, geofence_id) references geofence (account_id, id) on delete cascade
);
create index rule_geofence_geofence on rule_geofence (account_id, geofence_id);

-- The vehicles that a rule is for: a folder with those inside it, or a vehicle.
create table rule_vehicle (
  account_id integer not null,
  rule_id integer not null,
  folder_id integer,
  vehicle_id integer,
  check (num_nonnulls(folder_id, vehicle_id) = 1),
  unique nulls not distinct (rule_id, folder_id, vehicle_id),
  foreign key (account_id, rule_id) references rule (account_id, id) on delete cascade,
  foreign key (account_id, folder_id) references folder (account_id, id) on delete cascade,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
);
create index rule_vehicle_folder on rule_vehicle (account_id, folder_id);
create index rule_vehicle_vehicle on rule_vehicle (account_id, vehicle_id);

-- How far each vehicle's rules are watched.
create table rule_fold (
  account_id integer not null,
  vehicle_id integer primary key,
  through_at timestamptz not null,
  -- The newest geofence version that is taken into account.
  fences_version bigint not null,
  state jsonb not null,
  -- The state at the beginning of the last days (UTC), so that late positions correct it.
  mornings jsonb not null,
  -- The day from which it is watched again.
  again jsonb,
  foreign key (account_id, vehicle_id) references vehicle (account_id, id) on delete cascade
) with (fillfactor = 80);
create index rule_fold_of_account on rule_fold (account_id);

create trigger note_change after insert or update or delete on rule for each row
  execute function note_change('rule', 'id', 'changed_at');
create trigger note_change after insert or update or delete on rule_geofence for each row
  execute function note_change('rule', 'rule_id', '');
create trigger note_change after insert or update or delete on rule_vehicle for each row
  execute function note_change('rule', 'rule_id', '');

alter table alert
  add rule_id integer,
  add geofence_id integer,
  -- When what the rule is about began.
  add began_at timestamptz,
  -- The rule's name and action, and the geofence's name, as they were.
  add rule jsonb,
  add foreign key (account_id, rule_id) references rule (account_id, id) on delete set null (rule_id),
  add foreign key (account_id, geofence_id) references geofence (account_id, id) on delete set null (geofence_id),
  drop constraint alert_check,
  -- What a rule is about may have become known late, and still last.
  add constraint alert_check check (not late or closed_at is not null or kind = 'rule');

drop index alert_lasting;
create unique index alert_lasting on alert (vehicle_id, kind) where closed_at is null and kind <> 'rule';
drop index alert_late;
create unique index alert_late on alert (vehicle_id, kind, date_trunc('hour', opened_at at time zone 'UTC'))
  where late and kind <> 'rule';
-- A rule alerts once of the same thing.
create unique index alert_rule on alert (rule_id, vehicle_id, began_at, coalesce(geofence_id, 0)) where kind = 'rule';
create index alert_of_rule on alert (account_id, rule_id, opened_at) where rule_id is not null;
create index alert_of_geofence on alert (account_id, geofence_id) where geofence_id is not null;

grant select, insert, update, delete on rule, rule_geofence, rule_vehicle to milepost_account;
grant select on rule_fold to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['rule', 'rule_geofence', 'rule_vehicle', 'rule_fold'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
