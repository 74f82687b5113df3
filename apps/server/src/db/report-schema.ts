import type { ColumnType, Generated } from 'kysely';

/** Scheduled reports; the truth is in `migrations/0052_report_schedule.sql`. */
export interface ReportTables {
  report_schedule: ReportScheduleTable;
}

type Json = ColumnType<unknown, string, string>;

interface ReportScheduleTable {
  id: Generated<number>;
  account_id: number;
  user_id: string;
  name: string;
  report: string;
  format: string;
  query: Json;
  period: string;
  rule: Json;
  only_if_not_empty: boolean;
  attaches: Generated<boolean>;
  recipients: string[];
  next_at: Date;
  last_at: Date | null;
  created_at: Generated<Date>;
}
