-- Which vehicles drivers may sign in to. docs/eld.md.
alter table carrier add vehicle_choice text not null default 'folders';
