import type { AccountTransaction } from '../../db/database.ts';
import { type StoredPosition, toStoredPosition } from '../../ingest/stored-position.ts';

/** Up to `limit` positions from a moment on, oldest first. */
export async function positionsFrom(
  trx: AccountTransaction,
  vehicleId: number,
  range: { readonly from: Date; readonly isFromIncluded: boolean; readonly to: Date },
  limit: number,
): Promise<StoredPosition[]> {
  const rows = await trx
    .selectFrom('position')
    .selectAll()
    .where('vehicle_id', '=', vehicleId)
    .where('fix_at', range.isFromIncluded ? '>=' : '>', range.from)
    .where('fix_at', '<=', range.to)
    .orderBy('fix_at')
    .limit(limit)
    .execute();
  return rows.map(toStoredPosition);
}

/** The newest positions, newest first. */
export async function newestPositions(
  trx: AccountTransaction,
  vehicleId: number,
  limit: number,
): Promise<StoredPosition[]> {
  const rows = await trx
    .selectFrom('position')
    .selectAll()
    .where('vehicle_id', '=', vehicleId)
    .orderBy('fix_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toStoredPosition);
}
