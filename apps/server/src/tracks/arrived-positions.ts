import { type ArrivalCursor, type ArrivalKey, readArrivals } from '../db/arrivals.ts';
import type { AccountTransaction } from '../db/database.ts';
import { POSITION_COLUMNS, type PositionRow } from './stored-position.ts';

export type ArrivedPosition = PositionRow & { readonly vehicle_id: number };

const TABLE = {
  table: 'position',
  received: 'received_at',
  columns: ['vehicle_id', ...POSITION_COLUMNS],
  key: ['vehicle_id', 'fix_at'],
  keyOf: (row: ArrivedPosition): ArrivalKey => [row.received_at.getTime(), row.vehicle_id, row.fix_at.getTime()],
  lastOf: (value: number) => new Date(value),
} as const;

/** Positions of the account in the order in which they came in. Hidden ones are not among them. */
export const arrivedPositions = (trx: AccountTransaction, cursor: ArrivalCursor, limit: number, nowMs: number) =>
  readArrivals<ArrivedPosition>(trx, cursor, TABLE, limit, nowMs);
