import type { ColumnType } from 'kysely';

/** The tables of the logbook, as Kysely sees them; part of `schema.ts`. Nothing in them is ever updated. */
export interface LogbookTables {
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
