import {
  listSubscriptions,
  readSettingChanges,
  readSettings,
  updateSettings,
  updateSubscription,
} from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import type { Http } from '../../http/server.ts';
import { by } from '../audit/by.ts';
import { dropOldLooks, dropOldPositions, followForgotten } from './retention.ts';
import { changeAccountSettings, readAccountSettings } from './settings.ts';
import { listOfSubscriptions } from './subscriptions.ts';

/** An account's own settings and subscriptions. */
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

  followForgotten(context, organisation.live);
  context.jobs.repeat({
    name: 'retention',
    everySeconds: 3600,
    run: async () => {
      await dropOldPositions(context, organisation.live);
      await dropOldLooks(db);
    },
  });
}
