import { daysRemaining, type Subscription } from '@milepost/contract';
import type { AccountTransaction } from '../../db/database.ts';
import type { Directory } from '../../fleet/directory.ts';
import type { Viewer, Visibility } from '../../fleet/visibility.ts';

/** One subscription for each vehicle. [R4.19] [R7.17] The remaining days depend only on its first day and the clock. */
export async function listOfSubscriptions(
  trx: AccountTransaction,
  viewer: Viewer,
  { directory, visibility }: { readonly directory: Directory; readonly visibility: Visibility },
  only: number | null = null,
): Promise<Subscription[]> {
  const rows = await trx
    .selectFrom('subscription')
    .select(['id', 'imei', 'created_at'])
    .$if(only !== null, query => query.where('id', '=', only))
    .orderBy('id')
    .execute();
  const now = Date.now();
  return rows.flatMap(({ id, imei, created_at }) => {
    const vehicle = directory.findByImei(imei);
    // A deleted vehicle's subscription is kept in case it is added again.
    if (!visibility.sees(viewer, vehicle)) return [];
    return {
      id: String(id),
      createdDate: created_at.toISOString(),
      daysRemaining: daysRemaining(created_at.getTime(), now),
      device: { id: String(vehicle.id), imei, deviceName: vehicle.name },
    };
  });
}
