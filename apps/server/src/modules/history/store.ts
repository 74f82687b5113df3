import type { AccountTransaction } from '../../db/database.ts';
import type { ReportedVehicle } from '../../ingest/report.ts';
import { type StoredPosition, toStoredPosition } from '../../ingest/stored-position.ts';

export function findVehicle(trx: AccountTransaction, id: number): Promise<ReportedVehicle | undefined> {
  return trx.selectFrom('vehicle').select(['id', 'imei', 'name']).where('id', '=', id).executeTakeFirst();
}

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
