import type { MyDuty, RouteAnswer, RouteParsed, remindDriver } from '@milepost/contract';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import { audit } from '../../audit/audit.ts';
import type { By } from '../../audit/by.ts';
import { readLogFrom } from '../days/read-log.ts';
import { iso } from '../days/shown.ts';
import { homeOfTerminal, logOfDriver } from '../settings/driver-terms.ts';
import type { LogRoster } from '../settings/roster.ts';
import { readNames } from './log-access.ts';
import { logRefused } from './refused.ts';

const DAY_MS = 24 * 3_600_000;
/** Certified days are asked for as far back as drivers must have their logs with them. */
const LOOKED_BACK_MS = 15 * DAY_MS;

type Asked = Pick<RouteParsed<typeof remindDriver>, 'params' | 'body'>;

/** Asks a driver for what waits; the change feed tells their phone. Throws `log-refused` if nothing waits. */
export async function remind(
  { db, feed }: Pick<Context, 'db' | 'feed'>,
  roster: LogRoster,
  { session, author }: By,
  { params, body: { about } }: Asked,
  now: number,
): Promise<RouteAnswer<typeof remindDriver>> {
  const { accountId, userId } = session;
  const waiting = await db.asAccount(accountId, async trx => {
    const terms = await roster.held(trx, session, Number(params.driverId));
    if (!terms.settings.keepsLog) throw new AppError('not-found');
    const name = logOfDriver(terms.driverId);
    const log = await readLogFrom(trx, name, now - LOOKED_BACK_MS, homeOfTerminal(terms.terminal));
    const count =
      about === 'certification'
        ? log.daysToCertify(now).length
        : log.records().filter(({ status }) => status === 'change-requested').length;
    if (count === 0) throw logRefused(about === 'certification' ? 'nothing-to-certify' : 'not-pending');
    const row = { asked_by: userId, asked_at: new Date(now) };
    await trx
      .insertInto('driver_reminder')
      .values({ ...row, account_id: accountId, driver_id: terms.driverId, about })
      .onConflict(conflict => conflict.columns(['driver_id', 'about']).doUpdateSet(row))
      .execute();
    await audit(trx, author, {
      action: 'log.reminded',
      target: { id: terms.driverId, name: terms.name },
      changes: [{ field: 'about', from: null, to: about }],
    });
    return count;
  });
  await feed.settled();
  return { about, at: iso(now), waiting };
}

/** What the desk has asked this driver for, of what waits still. */
export async function remindersOf(
  trx: AccountTransaction,
  driverId: number,
  waits: Readonly<Record<'certification' | 'proposals', boolean>>,
): Promise<MyDuty['reminders']> {
  const rows = await trx.selectFrom('driver_reminder').selectAll().where('driver_id', '=', driverId).execute();
  const open = rows.filter(({ about }) => waits[about]);
  if (open.length === 0) return [];
  const nameOf = await readNames(trx);
  return open.map(({ about, asked_at, asked_by }) => ({
    about,
    at: asked_at.toISOString(),
    by: nameOf(asked_by) ?? '',
  }));
}
