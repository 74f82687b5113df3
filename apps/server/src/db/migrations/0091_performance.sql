-- What counts how much in drivers' performance, what they dispute of it, and coaching. docs/eld.md.

create table performance_weight (
  account_id integer primary key references account on delete cascade,
  -- The contract's `PerformanceWeights`.
  weights jsonb not null
);

create table performance_dispute (
  account_id integer not null,
  driver_id integer not null,
  -- The id of the evidence: what it was made of is kept elsewhere.
  evidence text not null,
  reply text not null,
  disputed_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'accepted', 'rejected')),
  answer text not null default '',
  answered_by uuid,
  answered_at timestamptz,
  primary key (account_id, driver_id, evidence),
  foreign key (account_id, driver_id) references driver (account_id, id) on delete cascade
);

create table coaching_note (
  account_id integer not null,
  id uuid primary key default gen_random_uuid(),
  driver_id integer not null,
  note text not null,
  due_on date not null,
  created_by uuid,
  created_at timestamptz not null,
  done_at timestamptz,
  foreign key (account_id, driver_id) references driver (account_id, id) on delete cascade
);
create index coaching_note_driver on coaching_note (account_id, driver_id);

create trigger note_change after insert or update or delete on performance_weight for each row
  execute function note_change('carrier', 'account_id', '');
create trigger note_change after insert or update or delete on performance_dispute for each row
  execute function note_log('logbook', 'driver_id', '');
create trigger note_change after insert or update or delete on coaching_note for each row
  execute function note_log('logbook', 'driver_id', '');

grant select, insert, update, delete on performance_weight, performance_dispute, coaching_note to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['performance_weight', 'performance_dispute', 'coaching_note'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
