import { randomUUID } from 'node:crypto';
import { ARRIVAL_RADIUS_M } from '@milepost/contract';
import { distanceMetres } from '@milepost/geo';
import { degrees } from '@milepost/units';
import type { Context } from '../../context.ts';
import type { LiveStates } from '../../fleet/live.ts';

/**
 * A vehicle that stands at the first stop of a task that its driver has accepted has arrived, at the moment it stopped.
 * One run looks at all tasks under way; it may be repeated, and a driver's own report is not touched.
 */
export async function noteArrivals({ db }: Pick<Context, 'db'>, live: LiveStates): Promise<void> {
  const rows = await db.system
    .selectFrom('task')
    .select(['id', 'account_id', 'vehicle_id', 'stops', 'assigned_at'])
    .where('state', 'in', ['accepted', 'enroute'])
    .where('vehicle_id', 'is not', null)
    .execute();
  for (const { id, account_id, vehicle_id, stops, assigned_at } of rows) {
    const [stop] = stops;
    const motion = vehicle_id === null ? null : live.of(vehicle_id)?.motion;
    if (!stop || !motion?.place || motion.since === null) continue;
    if (motion.motion !== 'stopped' && motion.motion !== 'idling') continue;
    const away = distanceMetres(motion.place, { lat: degrees(stop.lat), lon: degrees(stop.lon) });
    if (away > (stop.radiusM ?? ARRIVAL_RADIUS_M)) continue;
    const at = new Date(Math.max(motion.since, assigned_at?.getTime() ?? 0));
    await db.asAccount(account_id, async trx => {
      const { numUpdatedRows } = await trx
        .updateTable('task')
        .set({ state: 'arrived', changed_at: new Date() })
        .where('id', '=', id)
        .where('state', 'in', ['accepted', 'enroute'])
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      await trx
        .insertInto('task_step')
        .values({
          ...{ account_id, task_id: id, report_id: randomUUID(), at },
          ...{ state: 'arrived', done_by: 'vehicle', user_id: null },
        })
        .execute();
    });
  }
}
