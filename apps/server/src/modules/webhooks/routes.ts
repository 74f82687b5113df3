import { randomUUID } from 'node:crypto';
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  renewWebhookSecret,
  sendWebhookDelivery,
  testWebhook,
  updateWebhook,
} from '@milepost/contract';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { AppError, tooMany } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import { audit } from '../audit/audit.ts';
import { by } from '../audit/by.ts';
import { contentOf } from './content.ts';
import { outcomeColumns } from './queue.ts';
import { createWebhookStore, found, selectDeliveries, toDelivery } from './store.ts';
import type { Webhooks } from './webhooks.ts';

const TESTS_A_MINUTE = 10;

export function registerWebhooks(http: Http, context: Context, webhooks: Pick<Webhooks, 'sendNow' | 'wake'>): void {
  const { config, counters, db } = context;
  const store = createWebhookStore(context);
  const tests = counters.counter('webhook test', { points: TESTS_A_MINUTE, duration: 60 });

  http.handle(listWebhooks, ({ session }) => store.list(session.accountId));
  http.handle(createWebhook, call => store.create(by(call), call.body));
  http.handle(updateWebhook, async call => {
    const changed = await store.update(by(call), Number(call.params.id), call.body);
    // What waited while it was off may go now.
    webhooks.wake();
    return changed;
  });
  http.handle(deleteWebhook, async call => {
    await store.remove(by(call), Number(call.params.id));
    return { deleted: true as const, id: call.params.id };
  });
  http.handle(renewWebhookSecret, call => store.renewSecret(by(call), Number(call.params.id)));
  http.handle(listWebhookDeliveries, ({ session, params, query }) =>
    store.deliveries(session.accountId, Number(params.id), query),
  );
  http.handle(sendWebhookDelivery, async call => {
    const delivery = await store.sendAgain(by(call), call.params.id);
    webhooks.wake();
    return delivery;
  });

  http.handle(testWebhook, async call => {
    const { accountId } = call.session;
    const webhookId = Number(call.params.id);
    const { name, url, organization } = await db.asAccount(accountId, async trx => {
      const webhook = await found(trx, webhookId);
      if (webhook.needs_address) throw new AppError('webhook-needs-address');
      const { name: organization } = await trx.selectFrom('account').select('name').executeTakeFirstOrThrow();
      return { ...webhook, organization };
    });
    await tests.consume(accountId).catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? tooMany('too-many-requests', refusal.msBeforeNext) : refusal;
    });
    const { secret } = await db.system
      .selectFrom('webhook_secret')
      .select('secret')
      .where('webhook_id', '=', webhookId)
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    const id = randomUUID();
    const createdAt = new Date();
    const body = contentOf({
      id,
      createdAt,
      organization,
      message: null,
      alert: null,
      publicUrl: config.http.publicUrl,
    });
    const outcome = await webhooks.sendNow({ id, url, secret, body, type: 'test' });
    return db.asAccount(accountId, async trx => {
      // It may have been deleted meanwhile.
      await found(trx, webhookId);
      await trx
        .insertInto('webhook_delivery')
        .values({
          ...{ id, account_id: accountId, webhook_id: webhookId, alert_id: null, noted_at: createdAt, body },
          ...{ state: outcome.failure === null ? 'delivered' : 'failed', next_at: null, tries: 1 },
          tried_at: createdAt,
          ...outcomeColumns(outcome),
        })
        .execute();
      await audit(trx, by(call).author, { action: 'webhook.tested', target: { id: webhookId, name } });
      return toDelivery(await selectDeliveries(trx).where('webhook_delivery.id', '=', id).executeTakeFirstOrThrow());
    });
  });
}
