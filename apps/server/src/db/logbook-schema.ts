import type { ColumnType, Generated } from 'kysely';

/** The tables of the logbook, as Kysely sees them; part of `schema.ts`. Entries and roots are never updated. */
export interface LogbookTables {
  carrier: CarrierTable;
  log_setting: LogSettingTable;
  duty_entry: DutyEntryTable;
  duty_root: DutyRootTable;
}

/** A column that is never updated. */
type Fixed<T> = ColumnType<T, T, never>;

interface DutyEntryTable {
  account_id: Fixed<number>;
  log: Fixed<string>;
  position: Fixed<number>;
  id: Fixed<string>;
  action: Fixed<string>;
  recorded_at: Fixed<Date>;
  touches_at: Fixed<Date>;
  device: Fixed<string | null>;
  device_position: Fixed<number | null>;
  entry: Fixed<string>;
  content: Fixed<Buffer>;
  hash: Fixed<Buffer>;
  device_hash: Fixed<Buffer | null>;
}

interface DutyRootTable {
  account_id: Fixed<number>;
  chain: Fixed<string>;
  /** `2026-02-03`; read with `::text`. */
  day: Fixed<string>;
  first: Fixed<number>;
  count: Fixed<number>;
  previous: Fixed<Buffer>;
  head: Fixed<Buffer>;
  root: Fixed<Buffer>;
}

interface CarrierTable {
  account_id: Fixed<number>;
  name: string | null;
  usdot_number: string | null;
  /** The contract's `Terminal`s. */
  terminals: ColumnType<unknown, string, string>;
  rule_set: string;
  personal_use: boolean;
  yard_moves: boolean;
  personal_use_limit_km: number | null;
  vehicle_choice: Generated<string>;
}

interface LogSettingTable {
  account_id: Fixed<number>;
  driver_id: Fixed<number>;
  keeps_log: Generated<boolean>;
  rule_set: string | null;
  terminal_id: string | null;
  personal_use: boolean | null;
  yard_moves: boolean | null;
  is_exempt: Generated<boolean>;
  exempt_reason: string | null;
  synced_at: Date | null;
}
