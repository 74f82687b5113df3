import type { Standing } from '@milepost/contract';
import type { AccountTransaction } from '../../../db/database.ts';
import type { LogFault } from '../days/read-log.ts';
import { iso } from '../days/shown.ts';
import { logOfDriver } from '../settings/driver-terms.ts';

export interface StandingDriver extends Omit<Standing, 'signIn'> {
  /** The vehicle that they sign in to, which waits to be recorded. */
  readonly signInTo: number | null;
}

/** Why nothing is recorded for these drivers; recorded ones are missing. */
export async function readStandings(
  trx: AccountTransaction,
  drivers: readonly { readonly driverId: number; readonly fault: LogFault | null }[],
): Promise<ReadonlyMap<number, StandingDriver>> {
  const failing = await trx
    .selectFrom('recorder_fold')
    .select(['driver_id', 'co_driver_id', 'failing_since', 'failing_log'])
    .where('failing_since', 'is not', null)
    .execute();
  const entered = await trx.selectFrom('duty_waiting').selectAll().execute();
  const waiting = new Map(entered.map(row => [row.driver_id, row]));
  const found = new Map<number, StandingDriver>();
  for (const { driverId, fault } of drivers) {
    const own = logOfDriver(driverId);
    const here =
      failing.find(({ failing_log }) => failing_log === own) ??
      failing.find(({ co_driver_id, driver_id }) => driver_id === driverId || co_driver_id === driverId);
    const late = waiting.get(driverId);
    const since = here?.failing_since ?? (fault && new Date(fault.recordedAt)) ?? late?.since;
    if (!since) continue;
    const broken = fault !== null ? own : here ? here.failing_log : (late?.broken_log ?? null);
    const why = broken === own ? 'own-log' : broken !== null ? 'others-log' : 'error';
    found.set(driverId, { since: iso(since.getTime()), why, signInTo: here ? null : (late?.vehicle_id ?? null) });
  }
  return found;
}
