import { type AlertDelivery, MAIL_FAILURES, may, type readAlertDeliveries, WEBHOOK_FAILURES } from '@milepost/contract';
import type { z } from 'zod';
import { AppError } from '../../app-error.ts';
import type { AccountTransaction, Databases } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import { seesAlert } from './audience.ts';
import { aboutOf, selectAlerts } from './store.ts';

type Answer = z.output<typeof readAlertDeliveries.response>;
type Failure = AlertDelivery['failure'];

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

const FAILURES: readonly NonNullable<Failure>[] = [...MAIL_FAILURES, ...WEBHOOK_FAILURES];
const failureOf = (kept: string | null): Failure => FAILURES.find(each => each === kept) ?? null;

/**
 * How an alert went out: each email, push notification and webhook, with what came of it. Whoever may know of the alert
 * reads what came to themselves; those who write rules read all about people, those who change the settings all about
 * webhooks.
 */
export async function readDeliveries(
  db: Databases,
  parts: Pick<Organisation, 'directory' | 'roster' | 'visibility'>,
  session: Session,
  id: string,
): Promise<Answer> {
  return db.asAccount(session.accountId, async trx => {
    const row = await selectAlerts(trx).where('alert.id', '=', id).executeTakeFirst();
    if (!row || !seesAlert(session, aboutOf(row), parts)) throw new AppError('not-found');
    const all = [
      ...(await mailsOf(trx, id, row.opened_at)),
      ...(await pushesOf(trx, id)),
      ...(await webhooksOf(trx, id)),
    ];
    const seesPeople = may(session, 'rules.write') || may(session, 'users.read');
    const seesWebhooks = may(session, 'settings.write');
    const told = all.filter(({ userId }) => (userId === null ? seesWebhooks : seesPeople || userId === session.userId));
    return {
      deliveries: told.toSorted((a, b) => a.notedAt.localeCompare(b.notedAt)),
      others: all.length - told.length,
    };
  });
}

async function mailsOf(trx: AccountTransaction, id: string, openedAt: Date): Promise<AlertDelivery[]> {
  const rows = await trx
    .selectFrom('alert_mail')
    .innerJoin('person', 'person.id', 'alert_mail.user_id')
    .leftJoin('alert_mail_pace as pace', 'pace.user_id', 'alert_mail.user_id')
    .select(['alert_mail.user_id as userId', 'display_name as name', 'alert_mail.reason', 'noted_at', 'mail_id'])
    .select(['sent_at', 'given_up_at', 'is_beyond', 'pace.tries', 'pace.next_at', 'pace.last_failure'])
    .where('alert_id', '=', id)
    .orderBy('alert_mail.id')
    .execute();
  return rows.map(
    ({ given_up_at, is_beyond, last_failure, mail_id, name, next_at, noted_at, reason, sent_at, userId, ...of }) => {
      const isRetrying = mail_id !== null && (of.tries ?? 0) > 0;
      const [state, at] = sent_at
        ? (['sent', sent_at] as const)
        : given_up_at
          ? (['failed', given_up_at] as const)
          : is_beyond
            ? (['digest', noted_at] as const)
            : isRetrying
              ? (['retrying', next_at] as const)
              : (['waiting', null] as const);
      return {
        ...{ via: 'mail', userId, name, browser: null, reason, state, at: iso(at), tries: null },
        // What is beyond someone's limit is noted for their digest.
        notedAt: (is_beyond ? openedAt : noted_at).toISOString(),
        failure: state === 'failed' || state === 'retrying' ? failureOf(last_failure) : null,
      };
    },
  );
}

async function pushesOf(trx: AccountTransaction, id: string): Promise<AlertDelivery[]> {
  const over = await trx
    .selectFrom('push_outcome')
    .innerJoin('person', 'person.id', 'push_outcome.user_id')
    .select(['push_outcome.user_id as userId', 'display_name as name', 'user_agent as browser', 'reason'])
    .select(['outcome', 'noted_at', 'ended_at'])
    .where('alert_id', '=', id)
    .orderBy('push_outcome.id')
    .execute();
  const queued = await trx
    .selectFrom('push_delivery')
    .innerJoin('push_subscription as subscription', 'subscription.id', 'push_delivery.subscription_id')
    .innerJoin('app_user', 'app_user.id', 'subscription.user_id')
    .select(['subscription.user_id as userId', 'display_name as name', 'user_agent as browser', 'reason'])
    .select(['noted_at', 'next_at', 'tries'])
    .where('alert_id', '=', id)
    .where('reason', '!=', 'digest')
    .orderBy('push_delivery.id')
    .execute();
  return [
    ...over.map(
      ({ ended_at, noted_at, outcome, ...of }): AlertDelivery => ({
        ...{ via: 'push', ...of, state: outcome === 'limit' ? 'digest' : outcome },
        ...{ notedAt: noted_at.toISOString(), at: iso(ended_at), tries: null, failure: null },
      }),
    ),
    ...queued.flatMap(({ next_at, noted_at, reason, tries, ...of }): AlertDelivery[] =>
      reason === 'digest' || reason === 'reminder'
        ? []
        : [
            {
              ...{ via: 'push', ...of, reason, state: tries > 0 ? 'retrying' : 'waiting', tries, failure: null },
              ...{ notedAt: noted_at.toISOString(), at: iso(next_at) },
            },
          ],
    ),
  ];
}

async function webhooksOf(trx: AccountTransaction, id: string): Promise<AlertDelivery[]> {
  const rows = await trx
    .selectFrom('webhook_delivery as delivery')
    .innerJoin('webhook', 'webhook.id', 'delivery.webhook_id')
    .select(['webhook.name', 'delivery.state', 'delivery.noted_at', 'delivery.next_at', 'delivery.tried_at'])
    .select(['delivery.tries', 'delivery.failure'])
    .where('delivery.alert_id', '=', id)
    .orderBy('delivery.noted_at')
    .execute();
  return rows.map(({ failure, name, next_at, noted_at, state, tried_at, tries }) => {
    const isWaiting = state === 'waiting';
    return {
      ...{ via: 'webhook', userId: null, name, browser: null, reason: 'opened', tries },
      state: state === 'delivered' ? 'sent' : state === 'failed' ? 'failed' : tries > 0 ? 'retrying' : 'waiting',
      ...{ notedAt: noted_at.toISOString(), at: iso(isWaiting ? next_at : tried_at), failure: failureOf(failure) },
    };
  });
}
