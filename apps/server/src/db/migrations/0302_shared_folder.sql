-- Several servers share one folder of files (DATA_DIR). A file in it says the same as this row, so that a server whose
-- folder is another one does not start.

create table shared_folder (
  singleton boolean primary key default true check (singleton),
  id uuid not null
);
