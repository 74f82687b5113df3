import {
  may,
  type ReceivedAlerts,
  readMyNotifications,
  readNotificationSettings,
  sendTestMail,
  updateMyNotifications,
  updateNotificationSettings,
} from '@milepost/contract';
import { dateOf, homeDays } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import { sql } from 'kysely';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { AppError, tooMany } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Http } from '../../http/server.ts';
import type { Session } from '../../http/session.ts';
import { readPreferences } from '../accounts/preferences.ts';
import { by } from '../audit/by.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { composeTestMail } from './compose.ts';
import { readReceived } from './daily-limit.ts';
import { readDelivery } from './delivery.ts';
import { getsEscalations } from './recipients.ts';
import { changeChoice, changeSettings, readChoice, readSettings } from './settings.ts';

const TESTS_A_MINUTE = 5;

/** What an account and each of its users choose to hear by mail. */
export function registerNotifications(
  http: Http,
  { counters, db, mailer }: Pick<Context, 'counters' | 'db' | 'mailer'>,
): void {
  const tests = counters.counter('mail test', { points: TESTS_A_MINUTE, duration: 60 });

  const settingsAnswer = async (trx: AccountTransaction, session: Session) => {
    const { settings: account } = await readAccountSettings(trx);
    const delivery = { works: mailer.works, ...(await readDelivery(trx)) };
    const people = may(session, 'users.read') ? await readPeople(trx) : [];
    return { ...(await readSettings(trx)), timeZone: account.timeZone, delivery, people };
  };

  const choiceAnswer = async (trx: AccountTransaction, session: Session) => {
    const { settings: account } = await readAccountSettings(trx);
    const { settings: organisation } = await readSettings(trx);
    const { address, custom, timeZone } = await readReach(trx, session.userId);
    const mayReadAlerts = may(session, 'alerts.read');
    const clock = timeZone ?? account.timeZone;
    return {
      today: dateOf(homeDays({ timeZone: clock, startOfDay: 0 }).dayOf(epochMs(Date.now()))),
      received: (await readReceived(trx, [session.userId])).get(session.userId) ?? [],
      choice: await readChoice(trx, session.userId),
      organisation,
      timeZone: clock,
      organisationTimeZone: account.timeZone,
      works: mailer.works,
      address,
      mayReadAlerts,
      getsEscalations: mayReadAlerts && !custom && getsEscalations(session.role, null),
    };
  };

  http.handle(readNotificationSettings, ({ session }) =>
    db.asAccount(session.accountId, trx => settingsAnswer(trx, session)),
  );
  http.handle(updateNotificationSettings, call =>
    db.asAccount(call.session.accountId, async trx => {
      await changeSettings(trx, by(call), call.body);
      return settingsAnswer(trx, call.session);
    }),
  );

  http.handle(readMyNotifications, ({ session }) => db.asAccount(session.accountId, trx => choiceAnswer(trx, session)));
  http.handle(updateMyNotifications, call =>
    db.asAccount(call.session.accountId, async trx => {
      await changeChoice(trx, by(call), call.body);
      return choiceAnswer(trx, call.session);
    }),
  );

  http.handle(sendTestMail, async ({ session }) => {
    await tests.consume(session.userId).catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? tooMany('too-many-requests', refusal.msBeforeNext) : refusal;
    });
    const reader = await db.asAccount(session.accountId, async trx => {
      const { settings } = await readAccountSettings(trx);
      const { address, language, name } = await readReach(trx, session.userId);
      return { address, name, language: language ?? settings.language };
    });
    const { address } = reader;
    if (address === null) return { address, outcome: 'no-address' as const };
    return { address, outcome: await mailer.deliver(composeTestMail({ ...reader, address })) };
  });
}

async function readPeople(trx: AccountTransaction) {
  const received = await readReceived(trx);
  const rows = await trx
    .selectFrom('app_user')
    .leftJoin('notification_choice as choice', 'choice.user_id', 'app_user.id')
    .select(['app_user.id', 'display_name', 'daily_limit'])
    .where('active', '=', true)
    .where(({ eb, or }) =>
      or([
        eb('daily_limit', 'is not', null),
        eb('app_user.id', '=', sql<string>`any(${[...received.keys()]}::uuid[])`),
      ]),
    )
    .execute();
  const all = ({ received: days }: { received: readonly ReceivedAlerts[] }): number =>
    days.reduce((sum, { alerts, beyond }) => sum + alerts + beyond, 0);
  return rows
    .map(({ id, daily_limit, display_name }) => ({
      ...{ userId: id, name: display_name, dailyLimit: daily_limit },
      received: received.get(id) ?? [],
    }))
    .toSorted((a, b) => all(b) - all(a) || a.name.localeCompare(b.name));
}

async function readReach(trx: AccountTransaction, userId: string) {
  const row = await trx
    .selectFrom('app_user')
    .select(['email', 'display_name', 'preferences', 'custom_role_id'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!row) throw new AppError('session-ended');
  const { language, timeZone } = readPreferences(row.preferences);
  return { address: row.email, name: row.display_name, custom: row.custom_role_id !== null, language, timeZone };
}
