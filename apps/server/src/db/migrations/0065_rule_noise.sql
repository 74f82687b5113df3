-- Who was sent which week's report on rules that nobody acts on, so that each goes out once.
create table rule_noise_mail (
  account_id integer not null references account on delete cascade,
  user_id uuid not null,
  -- The Monday on which it went out.
  week date not null,
  primary key (user_id, week),
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade
);
create index rule_noise_mail_account on rule_noise_mail (account_id, user_id);
alter table rule_noise_mail enable row level security;
create policy own_account on rule_noise_mail to milepost_account
  using (account_id = current_account()) with check (account_id = current_account());
