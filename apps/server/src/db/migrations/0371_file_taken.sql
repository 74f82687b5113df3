-- When somebody first took a file with its QR code: the result of handing it over, for the desk.
alter table log_export add column taken_at timestamptz;
