-- Ways to look at a page under a name, and in which order each person has them.

create table saved_view (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  page text not null,
  name text not null,
  query text not null,
  -- Whose it is; null when it is everybody's.
  owner_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  -- One's own go with them; everybody's stay.
  foreign key (account_id, owner_id) references app_user (account_id, id) on delete cascade,
  foreign key (account_id, created_by) references app_user (account_id, id) on delete set null (created_by)
);
create unique index saved_view_name on saved_view (account_id, page, lower(name), owner_id) nulls not distinct;

create table view_order (
  account_id integer not null references account on delete cascade,
  user_id uuid not null,
  page text not null,
  view_ids integer[] not null,
  primary key (user_id, page),
  foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade
);

grant select, insert, update, delete on saved_view, view_order to milepost_account;
do $$
declare t text;
begin
  foreach t in array array['saved_view', 'view_order'] loop
    execute format('alter table %I enable row level security', t);
    execute format(
      'create policy own_account on %I to milepost_account using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
