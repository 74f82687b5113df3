import type { ColumnType, Generated } from 'kysely';

/** The tables that the desk works on beside the logs, as Kysely sees them; part of `schema.ts`. */
export interface LogbookDeskTables {
  unidentified_assignment: UnidentifiedAssignmentTable;
  driver_reminder: DriverReminderTable;
  log_export: LogExportTable;
  performance_weight: PerformanceWeightTable;
  performance_dispute: PerformanceDisputeTable;
  coaching_note: CoachingNoteTable;
}

/** A column that is never updated. */
type Fixed<T> = ColumnType<T, T, never>;

interface UnidentifiedAssignmentTable {
  account_id: Fixed<number>;
  vehicle_id: Fixed<number>;
  record: Fixed<string>;
  driver_id: number;
  asked_by: string | null;
  asked_at: Generated<Date>;
}

interface DriverReminderTable {
  account_id: Fixed<number>;
  driver_id: Fixed<number>;
  about: Fixed<'certification' | 'proposals'>;
  asked_by: string;
  asked_at: Date;
}

interface LogExportTable {
  account_id: Fixed<number>;
  id: Generated<string>;
  driver_id: Fixed<number>;
  driver_name: Fixed<string>;
  kind: Fixed<'output-file' | 'verifiable-log'>;
  file_name: Fixed<string>;
  /** `2026-02-03`; read with `::text`. */
  from_date: Fixed<string | null>;
  to_date: Fixed<string | null>;
  comment: Fixed<string>;
  made_at: Fixed<Date>;
  made_by: Fixed<string | null>;
  made_by_name: Fixed<string>;
  at_roadside: Fixed<boolean>;
  sha256: Fixed<string>;
  content: Fixed<string | null>;
  token_hash: ColumnType<Buffer | null, Buffer | null | undefined, never>;
  token_until: ColumnType<Date | null, Date | null | undefined, never>;
  mailed_to: Generated<string | null>;
  taken_at: Generated<Date | null>;
  /** With an import; null for what happened here. */
  imported_at: Generated<Date | null>;
}

interface PerformanceWeightTable {
  account_id: Fixed<number>;
  /** The contract's `PerformanceWeights`. */
  weights: ColumnType<unknown, string, string>;
}

interface PerformanceDisputeTable {
  account_id: Fixed<number>;
  driver_id: Fixed<number>;
  evidence: Fixed<string>;
  reply: string;
  disputed_at: Date;
  state: Generated<'open' | 'accepted' | 'rejected'>;
  answer: Generated<string>;
  answered_by: string | null;
  answered_at: Date | null;
}

interface CoachingNoteTable {
  account_id: Fixed<number>;
  id: Generated<string>;
  driver_id: Fixed<number>;
  note: string;
  /** `2026-02-03`; read with `::text`. */
  due_on: string;
  created_by: Fixed<string | null>;
  created_at: Fixed<Date>;
  done_at: Date | null;
}
