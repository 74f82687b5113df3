import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import { daysToCertify } from '../../../logs/uncertified.ts';
import { openProposals } from '../days/phone-days.ts';
import { readLogFrom } from '../days/read-log.ts';
import { readUnidentified, unclaimedOf } from '../duty/unclaimed.ts';
import { type DriverTerms, homeOfTerminal, logOfDriver } from '../settings/driver-terms.ts';

/** What the desk asks a driver for. */
export type AskedFor = 'certification' | 'proposals' | 'unidentified';

declare module '../../../lifecycle/signals.ts' {
  interface SignalMap {
    /** A driver was asked for something: it waits to be pushed. */
    'driver-asked': { readonly driverId: number };
  }
}

/** How much of it waits for the driver. */
export async function waitingFor(
  trx: AccountTransaction,
  { directory }: Pick<Organisation, 'directory'>,
  terms: DriverTerms,
  about: AskedFor,
  now: number,
): Promise<number> {
  if (about === 'proposals') return openProposals(trx, terms, now);
  if (about === 'unidentified') {
    const unidentified = await readUnidentified(trx, terms.driverId, { fromMs: now, vehicleIds: [] });
    const unclaimed = await unclaimedOf(trx, { directory }, terms.driverId, null, unidentified, now);
    return unclaimed.filter(({ isAssigned }) => isAssigned).length;
  }
  const log = await readLogFrom(trx, logOfDriver(terms.driverId), now, homeOfTerminal(terms.terminal), 'read-sound');
  return daysToCertify(log, now).length;
}

/**
 * Lets it come to the driver’s browsers that get push notifications. What is sent then says how much waits at that
 * moment, so what is on its way already is not queued again.
 */
export async function queuePush(
  trx: AccountTransaction,
  accountId: number,
  { driverId, userId }: Pick<DriverTerms, 'driverId' | 'userId'>,
  about: AskedFor,
  askedBy: string,
): Promise<void> {
  if (userId === null) return;
  const browsers = await trx.selectFrom('push_subscription').select('id').where('user_id', '=', userId).execute();
  if (browsers.length === 0) return;
  const row = { account_id: accountId, alert_id: null, reason: 'reminder' as const };
  await trx
    .insertInto('push_delivery')
    .values(browsers.map(({ id }) => ({ ...row, subscription_id: id, driver_id: driverId, about, asked_by: askedBy })))
    .onConflict(conflict => conflict.doNothing())
    .execute();
}
