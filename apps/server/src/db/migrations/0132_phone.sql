-- A driver's phone with the public key that verifies the entries it signs.
create table phone (
  account_id integer not null references account on delete cascade,
  -- Made on the phone.
  id uuid not null,
  driver_id integer not null,
  name text not null,
  -- ECDSA P-256 as JSON Web Key.
  public_key jsonb not null,
  -- The link of the phone's chain before the first signed entry.
  after_position bigint not null,
  after_hash text not null,
  enrolled_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (account_id, id)
);
create index phone_of_driver on phone (account_id, driver_id);

-- The signature of an entry, and what is wrong with it. The entry itself is in duty_input, whatever this says.
create table duty_signature (
  account_id integer not null references account on delete cascade,
  input_id uuid not null,
  -- No foreign key: an unknown phone is a finding.
  phone_id uuid not null,
  driver_id integer not null,
  position bigint not null,
  previous text not null,
  hash text not null,
  -- The moment that was signed; the entry's own is never ahead of the server's clock.
  signed_at text not null,
  signature text not null,
  finding text,
  received_at timestamptz(3) not null,
  primary key (account_id, input_id)
);
create index duty_signature_of_phone on duty_signature (account_id, phone_id, position desc);

create trigger note_change after insert or update or delete on phone for each row
  execute function note_log('logbook', 'driver_id', '');

grant select, insert, update on phone to milepost_account;
-- Signatures are never changed or removed.
grant select, insert on duty_signature to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['phone', 'duty_signature'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
