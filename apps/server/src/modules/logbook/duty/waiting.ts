import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import { audit } from '../../audit/audit.ts';
import type { By } from '../../audit/by.ts';
import { BrokenLog } from '../broken-log.ts';
import { iso } from '../days/shown.ts';
import type { LogRoster } from '../settings/roster.ts';
import type { Entered } from './entered.ts';

/**
 * Notes that a sign-in could not be recorded, because of `error`: the phone keeps it and sends it again. The first one
 * counts. Other entries are of drivers whom the recorder knows at their vehicle; an error that is none of the vehicle's
 * is over with the next try.
 */
export async function noteWaiting(
  trx: AccountTransaction,
  accountId: number,
  driverId: number,
  { action, atMs }: Entered,
  error: unknown,
): Promise<void> {
  if (action.kind !== 'sign-in') return;
  const vehicleId = Number(action.vehicleId);
  if (!(error instanceof BrokenLog) && !(await isFailing(trx, vehicleId))) return;
  const row = { account_id: accountId, driver_id: driverId, vehicle_id: vehicleId, since: new Date(atMs) };
  await trx
    .insertInto('duty_waiting')
    .values({ ...row, broken_log: error instanceof BrokenLog ? error.log : null })
    .onConflict(conflict => conflict.column('driver_id').doNothing())
    .execute();
}

async function isFailing(trx: AccountTransaction, vehicleId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('recorder_fold')
    .select('vehicle_id')
    .where('vehicle_id', '=', vehicleId)
    .where('failing_since', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** What the driver enters is taken again. */
export async function endWaiting(trx: AccountTransaction, driverId: number): Promise<void> {
  await trx.deleteFrom('duty_waiting').where('driver_id', '=', driverId).execute();
}

/**
 * Takes a waiting sign-in off the board: its phone is lost, or was set up again. Only the note goes; what the driver
 * entered is on their phone, which brings the note back when it sends the sign-in again.
 */
export async function dismissWaiting(
  { db, feed }: Pick<Context, 'db' | 'feed'>,
  roster: LogRoster,
  { session, author }: By,
  driverId: number,
  reason: string,
): Promise<void> {
  await db.asAccount(session.accountId, async trx => {
    const terms = await roster.held(trx, session, driverId);
    const gone = await trx
      .deleteFrom('duty_waiting')
      .where('driver_id', '=', terms.driverId)
      .returning(['since', 'vehicle_id'])
      .executeTakeFirst();
    if (!gone) throw new AppError('not-found');
    const vehicle = await trx.selectFrom('vehicle').select('name').where('id', '=', gone.vehicle_id).executeTakeFirst();
    await audit(trx, author, {
      action: 'log.sign-in-dismissed',
      target: { id: terms.driverId, name: terms.name },
      changes: [
        { field: 'vehicle', from: vehicle?.name ?? null, to: null },
        { field: 'at', from: iso(gone.since.getTime()), to: null },
        { field: 'reason', from: null, to: reason },
      ],
    });
  });
  await feed.settled();
}
