-- The file itself in the email of a scheduled report, beside its link.

alter table report_schedule add attaches boolean not null default false;
