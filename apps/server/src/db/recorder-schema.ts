import type { ColumnType, Generated } from 'kysely';

/** The tables of the recorder and of what drivers enter, as Kysely sees them; part of `schema.ts`. */
export interface RecorderTables {
  duty_input: DutyInputTable;
  duty_waiting: DutyWaitingTable;
  recorder_fold: RecorderFoldTable;
  recorder_day: RecorderDayTable;
  recorder_late: RecorderLateTable;
  log_declaration: LogDeclarationTable;
  inspection_report: InspectionReportTable;
  inspection_photo: InspectionPhotoTable;
  team_request: TeamRequestTable;
  phone: PhoneTable;
  duty_signature: DutySignatureTable;
  driver_span: DriverSpanTable;
}

/** A jsonb column: read as a value, written as JSON text. */
type Json = ColumnType<unknown, string, string>;
type NullableJson = ColumnType<unknown, string | null, string | null>;

interface DutyInputTable {
  account_id: number;
  id: string;
  /** bigint: as text. */
  seq: Generated<string>;
  driver_id: number;
  vehicle_id: number | null;
  at: Date;
  received_at: Date;
  user_id: string | null;
  action: Json;
  terms: NullableJson;
  refusal: string | null;
  /** Since when the answer is another one than was given at first. */
  answered_at: Generated<Date | null>;
  /** What it became, if it was a status outside of a vehicle. */
  record: Generated<string | null>;
}

interface InspectionPhotoTable {
  account_id: number;
  id: string;
  vehicle_id: number;
  driver_id: number;
  content: Buffer;
  written_at: Generated<Date>;
}

interface TeamRequestTable {
  account_id: number;
  driver_id: number;
  co_driver_id: number;
  vehicle_id: number;
  asked_at: Date;
}

interface PhoneTable {
  account_id: number;
  id: string;
  driver_id: number;
  name: string;
  public_key: Json;
  /** bigint: as text. */
  after_position: string;
  after_hash: string;
  enrolled_at: Date;
  ended_at: Date | null;
}

interface DutySignatureTable {
  account_id: number;
  input_id: string;
  phone_id: string;
  driver_id: number;
  position: string;
  previous: string;
  hash: string;
  signed_at: string;
  signature: string;
  finding: string | null;
  received_at: Date;
}

interface DutyWaitingTable {
  account_id: number;
  driver_id: number;
  since: Date;
  broken_log: string | null;
  vehicle_id: number;
}

interface RecorderFoldTable {
  account_id: number;
  vehicle_id: number;
  fix_through: Date;
  input_through: ColumnType<string, string | undefined, string>;
  state: Json;
  ahead: ColumnType<unknown, string | undefined, string>;
  next_at: Date | null;
  driver_id: number | null;
  co_driver_id: number | null;
  /** Since when the vehicle can't be recorded, and why. */
  failing_since: ColumnType<Date | null, Date | null | undefined, Date | null>;
  failing_code: ColumnType<'broken-log' | 'error' | null, 'broken-log' | 'error' | null | undefined>;
  failing_log: ColumnType<string | null, string | null | undefined>;
}

interface RecorderDayTable {
  account_id: number;
  vehicle_id: number;
  /** `2026-02-03` */
  day: string;
  state: Json;
}

interface RecorderLateTable {
  account_id: number;
  id: Generated<string>;
  vehicle_id: number;
  from_at: Date;
  /** xid8, as text: the mark stays until all transactions before it are over; 0 until the recorder looks. */
  waits_for: Generated<string | null>;
}

interface LogDeclarationTable {
  account_id: number;
  id: string;
  driver_id: number;
  exception: string;
  start_at: Date;
  end_at: Date | null;
  reason: string;
}

interface InspectionReportTable {
  account_id: number;
  id: string;
  vehicle_id: number;
  driver_id: number;
  inspected: 'pre-trip' | 'post-trip';
  report: Json;
  photos: ColumnType<unknown, string | undefined, string>;
  state: string;
  certified: NullableJson;
  reviewed: NullableJson;
  reported_at: Date;
}

/** Who drove what: signed in on the phone, or as the usual driver. */
interface DriverSpanTable {
  account_id: number;
  id: Generated<number>;
  vehicle_id: number;
  driver_id: number;
  kind: 'signed-in' | 'usual';
  /** Null: it isn't known since when. */
  from_at: Date | null;
  /** Null while it lasts. */
  to_at: Date | null;
}
