import {
  may,
  readMyNotifications,
  readNotificationSettings,
  sendTestMail,
  updateMyNotifications,
  updateNotificationSettings,
} from '@milepost/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError, tooMany } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Http } from '../../http/server.ts';
import type { Session } from '../../http/session.ts';
import { readPreferences } from '../accounts/preferences.ts';
import { by } from '../audit/by.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { composeTestMail } from './compose.ts';
import { readDelivery } from './delivery.ts';
import { getsEscalations } from './recipients.ts';
import { changeChoice, changeSettings, readChoice, readSettings } from './settings.ts';

const TESTS_A_MINUTE = 5;

/** What an account and each of its users choose to hear by mail. */
export function registerNotifications(http: Http, { db, mailer }: Pick<Context, 'db' | 'mailer'>): void {
  const tests = new RateLimiterMemory({ points: TESTS_A_MINUTE, duration: 60 });

  const settingsAnswer = async (trx: AccountTransaction) => {
    const { settings: account } = await readAccountSettings(trx);
    const delivery = { works: mailer.works, ...(await readDelivery(trx)) };
    return { ...(await readSettings(trx)), timeZone: account.timeZone, delivery };
  };

  const choiceAnswer = async (trx: AccountTransaction, session: Session) => {
    const { settings: account } = await readAccountSettings(trx);
    const { settings: organisation } = await readSettings(trx);
    const { address, custom, timeZone } = await readReach(trx, session.userId);
    const mayReadAlerts = may(session, 'alerts.read');
    return {
      choice: await readChoice(trx, session.userId),
      organisation,
      timeZone: timeZone ?? account.timeZone,
      organisationTimeZone: account.timeZone,
      works: mailer.works,
      address,
      mayReadAlerts,
      getsEscalations: mayReadAlerts && !custom && getsEscalations(session.role, null),
    };
  };

  http.handle(readNotificationSettings, ({ session }) => db.asAccount(session.accountId, settingsAnswer));
  http.handle(updateNotificationSettings, call =>
    db.asAccount(call.session.accountId, async trx => {
      await changeSettings(trx, by(call), call.body);
      return settingsAnswer(trx);
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
