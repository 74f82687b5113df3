-- A new e-mail address holds once a link that was sent to it is followed; of the link only the token's hash is kept.

alter table app_user
  -- The address that a link has proved: where `email` is another, it is not confirmed.
  add confirmed_email text;

create table email_change (
  user_id uuid primary key,
  account_id integer not null references account on delete cascade,
  -- Not unique, and not compared with the addresses of others: who asks learns nothing of them.
  email text not null,
  -- SHA-256 of 256 random bits.
  token_hash bytea not null unique,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade
);
create index email_change_account on email_change (account_id, user_id);

grant select, insert, update, delete on email_change to milepost_account;
alter table email_change enable row level security;
create policy own_account on email_change to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
