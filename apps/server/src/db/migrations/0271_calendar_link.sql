-- A calendar that programs subscribe to by a secret address, with what its user sees. Only the hash of the secret is kept.
create table calendar_link (
  id uuid primary key default gen_random_uuid(),
  account_id integer not null references account on delete cascade,
  user_id uuid not null,
  name text not null,
  parts text[] not null,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null default now(),
  last_read_at timestamptz(3),
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade
);
create index calendar_link_of_user on calendar_link (account_id, user_id);
create trigger note_change after insert or update or delete on calendar_link for each row
  execute function note_change('session', 'id', 'last_read_at', 'user', 'user_id');
grant select, insert, delete on calendar_link to milepost_account;
alter table calendar_link enable row level security;
create policy own_account on calendar_link to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
