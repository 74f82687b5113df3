-- What a rule's alerts say by email, push and webhook, with tags in braces for what is known then.
alter table rule add message text;
