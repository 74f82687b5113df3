-- Alerts with the place leave the server by email, push and webhook as well: those are looks too. For a webhook, `link_id`
-- and `link_name` are the webhook's. docs/privacy.md.
alter table look drop constraint look_via_check;
alter table look add constraint look_via_check
  check (via in ('session', 'api-token', 'share', 'email', 'push', 'webhook'));
