import type {
  MyDuty,
  REMINDED_OF,
  RouteAnswer,
  RouteParsed,
  remindDriver,
  requestCertification,
} from '@milepost/contract';
import { dayOf } from '@milepost/eld';
import { epochMs } from '@milepost/units';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import { turn } from '../../../workers/turns.ts';
import { audit } from '../../audit/audit.ts';
import type { By } from '../../audit/by.ts';
import { iso } from '../days/shown.ts';
import { type DriverTerms, homeOfTerminal } from '../settings/driver-terms.ts';
import type { LogRoster } from '../settings/roster.ts';
import { queuePush, waitingFor } from './asked-for.ts';
import { readNames } from './log-access.ts';
import { logRefused } from './refused.ts';

interface ReminderParts extends Pick<Organisation, 'directory'> {
  readonly roster: LogRoster;
}

type Asked = Pick<RouteParsed<typeof remindDriver>, 'params' | 'body'>;

/** Asks a driver for what waits; the change feed tells their phone, and a push if it is not open. Throws `log-refused` if nothing waits. */
export async function remind(
  { db, feed, signals }: Pick<Context, 'db' | 'feed' | 'signals'>,
  { roster, directory }: ReminderParts,
  by: By,
  { params, body: { about } }: Asked,
  now: number,
): Promise<RouteAnswer<typeof remindDriver>> {
  const waiting = await db.asAccount(by.session.accountId, async trx => {
    const terms = await roster.held(trx, by.session, Number(params.driverId));
    if (!terms.settings.keepsLog) throw new AppError('not-found');
    const count = await waitingFor(trx, { directory }, terms, about, now);
    if (count === 0) throw logRefused(about === 'certification' ? 'nothing-to-certify' : 'not-pending');
    if (about === 'certification' && (await wasAskedToday(trx, terms, now))) throw new AppError('asked-today');
    await ask(trx, by, terms, about, now);
    return count;
  });
  signals.emit('driver-asked', { driverId: Number(params.driverId) });
  await feed.settled();
  return { about, at: iso(now), waiting };
}

/** Asks drivers to certify their days; says whom it did not ask, and why. */
export async function requestCertificationOf(
  { db, feed, signals }: Pick<Context, 'db' | 'feed' | 'signals'>,
  { roster, directory }: ReminderParts,
  by: By,
  driverIds: readonly number[],
  now: number,
): Promise<RouteAnswer<typeof requestCertification>> {
  const answer: RouteAnswer<typeof requestCertification> = { at: iso(now), asked: [], skipped: [] };
  await db.asAccount(by.session.accountId, async trx => {
    for (const id of new Set(driverIds)) {
      const driverId = String(id);
      const terms = await roster.held(trx, by.session, id).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'out-of-scope') return null;
        throw error;
      });
      const waiting = terms?.settings.keepsLog ? await waitingFor(trx, { directory }, terms, 'certification', now) : 0;
      if (terms === null) answer.skipped.push({ driverId, why: 'out-of-scope' });
      else if (waiting === 0) answer.skipped.push({ driverId, why: 'nothing-to-certify' });
      else if (await wasAskedToday(trx, terms, now)) answer.skipped.push({ driverId, why: 'asked-today' });
      else {
        await ask(trx, by, terms, 'certification', now);
        answer.asked.push({ driverId, waiting });
      }
      await turn();
    }
    if (answer.skipped.every(({ why }) => why === 'out-of-scope') && answer.asked.length === 0) {
      throw new AppError('out-of-scope');
    }
  });
  for (const { driverId } of answer.asked) signals.emit('driver-asked', { driverId: Number(driverId) });
  await feed.settled();
  return answer;
}

type About = (typeof REMINDED_OF)[number];

/** On this day of the driver's home terminal. */
async function wasAskedToday(trx: AccountTransaction, { driverId, terminal }: DriverTerms, now: number) {
  const askedAt = (await readCertificationsAsked(trx, [driverId])).get(driverId);
  if (!askedAt) return false;
  const home = homeOfTerminal(terminal);
  return dayOf(epochMs(askedAt.getTime()), home) === dayOf(epochMs(now), home);
}

async function ask(trx: AccountTransaction, by: By, terms: DriverTerms, about: About, now: number): Promise<void> {
  const { accountId, userId } = by.session;
  const row = { asked_by: userId, asked_at: new Date(now) };
  await trx
    .insertInto('driver_reminder')
    .values({ ...row, account_id: accountId, driver_id: terms.driverId, about })
    .onConflict(conflict => conflict.columns(['driver_id', 'about']).doUpdateSet(row))
    .execute();
  await queuePush(trx, accountId, terms, about, userId);
  await audit(trx, by.author, {
    action: 'log.reminded',
    target: { id: terms.driverId, name: terms.name },
    changes: [{ field: 'about', from: null, to: about }],
  });
}

/** When these drivers, or all of the account, were last asked to certify. */
export async function readCertificationsAsked(
  trx: AccountTransaction,
  driverIds: readonly number[] | null,
): Promise<ReadonlyMap<number, Date>> {
  if (driverIds?.length === 0) return new Map();
  const rows = await trx
    .selectFrom('driver_reminder')
    .select(['driver_id', 'asked_at'])
    .where('about', '=', 'certification')
    .$if(driverIds !== null, query => query.where('driver_id', 'in', driverIds ?? []))
    .execute();
  return new Map(rows.map(({ asked_at, driver_id }) => [driver_id, asked_at]));
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
