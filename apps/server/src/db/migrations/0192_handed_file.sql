-- At roadside, an officer takes the output file by its QR code, a link that lasts an hour, or gets it by email. docs/eld.md.
alter table log_export
  add column token_hash bytea unique,
  add column token_until timestamptz,
  add column mailed_to text,
  add check ((token_hash is null) = (token_until is null));
grant update (mailed_to) on log_export to milepost_account;
