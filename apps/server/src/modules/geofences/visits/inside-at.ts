import type { listInside, RouteAnswer } from '@milepost/contract';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';

/** Which of these vehicles were inside which geofences at a moment, by their visits. */
export async function insideAt(
  trx: AccountTransaction,
  accountId: number,
  vehicleIds: readonly number[],
  at: Date,
): Promise<RouteAnswer<typeof listInside>['inside']> {
  const rows = await trx
    .selectFrom('visit')
    .select(['vehicle_id', 'geofence_id', 'in_at', 'in_after', 'in_confidence'])
    .where('account_id', '=', accountId)
    .where('in_at', '<=', at)
    .where(sql<boolean>`(out_at is null or out_at > ${at})`)
    .where(sql<boolean>`vehicle_id = any (${vehicleIds}::int4[])`)
    .orderBy('in_at')
    .orderBy('vehicle_id')
    .orderBy('geofence_id')
    .execute();
  return rows.map(row => ({
    geofenceId: String(row.geofence_id),
    deviceId: String(row.vehicle_id),
    since: row.in_at.toISOString(),
    isAtLeast: row.in_after === null,
    confidence: row.in_confidence,
  }));
}
