import { createECDH } from 'node:crypto';
import {
  deletePushSubscription,
  PUSH_SUBSCRIPTIONS_MAX,
  type PushSubscriptionItem,
  readPush,
  renewPush,
  SEVERITIES,
  subscribePush,
} from '@milepost/contract';
import { type Selectable, sql } from 'kysely';
import { AppError, invalidField } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { PushSubscriptionTable } from '../../db/push-schema.ts';
import type { Http } from '../../http/server.ts';
import { audit, authorOf, systemAuthor } from '../audit/audit.ts';
import { addressRule, refusalOf } from '../webhooks/addresses.ts';
import type { Push } from './push.ts';

const USER_AGENT_CHARACTERS = 300;

/** The browsers of each user that get push notifications. */
export function registerPush(http: Http, { config, db }: Pick<Context, 'config' | 'db'>, { key }: Pick<Push, 'key'>) {
  const rule = addressRule(config.webhooks.networks);

  /** Somebody else was signed in at this browser, whose alerts must not be shown to its next user. */
  const endOthers = async (endpoint: string, userId: string): Promise<void> => {
    const ended = await db.system
      .deleteFrom('push_subscription')
      .where('endpoint', '=', endpoint)
      .where('user_id', '<>', userId)
      .returning(['account_id', 'user_id'])
      .execute();
    for (const { account_id, user_id } of ended) {
      await db.asAccount(account_id, trx =>
        audit(trx, systemAuthor(account_id), { action: 'push.removed', target: { id: user_id, name: '' } }),
      );
    }
  };

  http.handle(readPush, ({ session }) =>
    db.asAccount(session.accountId, async trx => {
      const rows = await trx
        .selectFrom('push_subscription')
        .selectAll()
        .where('user_id', '=', session.userId)
        .orderBy('id')
        .execute();
      return { publicKey: key.publicKey.toString('base64url'), subscriptions: rows.map(toItem) };
    }),
  );

  http.handle(subscribePush, async call => {
    const { session, request } = call;
    const { accountId, userId } = session;
    const { endpoint, severities } = call.body;
    const refusal = refusalOf(endpoint, rule, config.webhooks.http);
    if (refusal) throw invalidField('endpoint', refusal);
    const p256dh = Buffer.from(call.body.p256dh, 'base64url');
    if (!isOnCurve(p256dh)) throw invalidField('p256dh', 'invalid');
    await endOthers(endpoint, userId);
    const columns = {
      ...{ session_id: session.sessionId, p256dh, auth: Buffer.from(call.body.auth, 'base64url') },
      severities: SEVERITIES.filter(severity => severities.includes(severity)),
      user_agent: request.headers['user-agent']?.slice(0, USER_AGENT_CHARACTERS) ?? null,
    };
    return db.asAccount(accountId, async trx => {
      const { count } = await trx
        .selectFrom('push_subscription')
        .select(sql<number>`count(*)::int4`.as('count'))
        .where('user_id', '=', userId)
        .where('endpoint', '<>', endpoint)
        .executeTakeFirstOrThrow();
      if (count >= PUSH_SUBSCRIPTIONS_MAX) {
        throw new AppError('too-many-push-subscriptions', { limit: PUSH_SUBSCRIPTIONS_MAX });
      }
      const row = await trx
        .insertInto('push_subscription')
        .values({ ...columns, account_id: accountId, user_id: userId, endpoint, last_sent_at: null })
        .onConflict(conflict => conflict.column('endpoint').doUpdateSet(columns))
        .returningAll()
        .executeTakeFirstOrThrow();
      await audit(trx, authorOf(call), {
        action: 'push.added',
        target: { id: userId, name: session.userName },
        changes: [{ field: 'severities', from: null, to: columns.severities.join(' ') }],
      });
      return toItem(row);
    });
  });

  http.handle(renewPush, async ({ session, body }) => {
    await endOthers(body.endpoint, session.userId);
    return db.asAccount(session.accountId, async trx => {
      const row = await trx
        .updateTable('push_subscription')
        .set({ session_id: session.sessionId })
        .where('endpoint', '=', body.endpoint)
        .where('user_id', '=', session.userId)
        .returning('id')
        .executeTakeFirst();
      return { id: row ? String(row.id) : null };
    });
  });

  http.handle(deletePushSubscription, async call => {
    const { session, params } = call;
    await db.asAccount(session.accountId, async trx => {
      const { numDeletedRows } = await trx
        .deleteFrom('push_subscription')
        .where('id', '=', Number(params.id))
        .where('user_id', '=', session.userId)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw new AppError('not-found');
      await audit(trx, authorOf(call), {
        action: 'push.removed',
        target: { id: session.userId, name: session.userName },
      });
    });
    return { deleted: true as const, id: params.id };
  });
}

/** Otherwise nothing could be encrypted for it. */
function isOnCurve(point: Buffer): boolean {
  const own = createECDH('prime256v1');
  own.generateKeys();
  try {
    own.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

const toItem = (row: Selectable<PushSubscriptionTable>): PushSubscriptionItem => ({
  id: String(row.id),
  userAgent: row.user_agent,
  severities: SEVERITIES.filter(severity => row.severities.includes(severity)),
  createdAt: row.created_at.toISOString(),
  lastSentAt: row.last_sent_at?.toISOString() ?? null,
});
