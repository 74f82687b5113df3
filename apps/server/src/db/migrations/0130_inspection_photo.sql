-- Photos of defects, re-encoded. A report names them; a photo may arrive before or after the report that names it.
create table inspection_photo (
  account_id integer not null references account on delete cascade,
  -- Made on the phone.
  id uuid not null,
  vehicle_id integer not null,
  driver_id integer not null,
  content bytea not null,
  written_at timestamptz not null default now(),
  primary key (account_id, id)
);
create index inspection_photo_of_driver on inspection_photo (account_id, driver_id, written_at);

create trigger note_change after insert or update or delete on inspection_photo for each row
  execute function note_log('logbook', 'driver_id', 'content');

grant select, insert, delete on inspection_photo to milepost_account;
alter table inspection_photo enable row level security;
create policy own_account on inspection_photo to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
