import type { Standing } from '@milepost/contract';
import type { AccountTransaction } from '../../../db/database.ts';
import type { LogFault } from '../days/read-log.ts';
import { iso } from '../days/shown.ts';
import { logOfDriver } from '../settings/driver-terms.ts';

/** Why nothing is recorded for these drivers; whoever is recorded is missing. */
export async function readStandings(
  trx: AccountTransaction,
  drivers: readonly { readonly driverId: number; readonly fault: LogFault | null }[],
): Promise<ReadonlyMap<number, Standing>> {
  const failing = await trx
    .selectFrom('recorder_fold')
    .select(['driver_id', 'co_driver_id', 'failing_since', 'failing_log'])
    .where('failing_since', 'is not', null)
    .execute();
  const found = new Map<number, Standing>();
  for (const { driverId, fault } of drivers) {
    const own = logOfDriver(driverId);
    const here =
      failing.find(({ failing_log }) => failing_log === own) ??
      failing.find(({ co_driver_id, driver_id }) => driver_id === driverId || co_driver_id === driverId);
    const isOwn = fault !== null || here?.failing_log === own;
    const since = here?.failing_since ?? (fault && new Date(fault.recordedAt));
    if (!since) continue;
    const why = isOwn ? 'own-log' : here?.failing_log ? 'others-log' : 'error';
    found.set(driverId, { since: iso(since.getTime()), why });
  }
  return found;
}
