import {
  listSubscriptions,
  readSettingChanges,
  readSettings,
  updateSettings,
  updateSubscription,
} from '@milepost/contract';
import type { Context } from '../../context.ts';
import { AppError } from '../../http/app-error.ts';
import type { Http } from '../../http/server.ts';
import { by } from '../audit/by.ts';
import type { Organisation } from '../organisation/organisation.ts';
import type { Viewer } from '../organisation/visibility.ts';
import { keepRetention } from './retention.ts';
import { changeAccountSettings, readAccountSettings } from './settings.ts';
import { listOfSubscriptions } from './subscriptions.ts';

/** What an account has decided for itself, and what it has subscribed to. */
export function registerAccountSettings(http: Http, context: Context, organisation: Organisation): void {
  const { db } = context;
  const subscriptions = (viewer: Viewer, only: number | null = null) =>
    db.asAccount(viewer.accountId, trx => listOfSubscriptions(trx, viewer, organisation, only));

  http.handle(readSettings, async ({ session }) => {
    const { settings } = await db.asAccount(session.accountId, readAccountSettings);
    return { settings };
  });
  http.handle(readSettingChanges, ({ session }) => db.asAccount(session.accountId, readAccountSettings));
  http.handle(updateSettings, call =>
    db.asAccount(call.session.accountId, trx => changeAccountSettings(trx, by(call), call.body)),
  );

  http.handle(listSubscriptions, ({ session }) => subscriptions(session));
  http.handle(updateSubscription, async ({ session, params }) => {
    const [subscription] = await subscriptions(session, Number(params.id));
    if (!subscription) throw new AppError('not-found');
    return subscription;
  });

  http.onClose(keepRetention(context, organisation.live));
}
