import type { Alert } from '@milepost/contract';
import type { Context } from '../../context.ts';
import { type AlertDetailParts, readAlertDetails } from '../notifications/alert-details.ts';
import { messageOf } from '../notifications/compose.ts';
import type { Looks } from '../privacy/looks.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { addressRule } from './addresses.ts';
import { contentOf } from './content.ts';
import { createPump } from './pump.ts';
import { type Claimed, claim, forgetOldDeliveries, keepBody, record } from './queue.ts';
import { type Outcome, type Resolve, send } from './send.ts';
import { signatureOf } from './signature.ts';

/** What is sent, whatever it is about. */
export interface Signed {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly body: string;
  readonly type: 'alert.opened' | 'test';
}

export interface Webhooks {
  /** Delivers from now on. */
  start(): void;
  /** Delivers what is due at this moment, until nothing more is; for tests. */
  look(at?: Date): Promise<void>;
  /** There is something new to deliver. */
  wake(): void;
  /** One try, without the queue. */
  sendNow(signed: Signed): Promise<Outcome>;
  /** Tries that are under way are broken off, and made again by the next server. */
  stop(): Promise<void>;
}

export interface WebhookParts extends AlertDetailParts {
  readonly looks: Pick<Looks, 'sent'>;
  /** Looks names up; the system's own way if absent. */
  readonly resolve?: Resolve;
}

/** Alerts on their way to the webhooks of accounts. The queue is in the database, so a restart loses none. */
export function openWebhooks(context: Context, parts: WebhookParts): Webhooks {
  const { config, db, jobs, log, signals } = context;
  const { resolve } = parts;
  const rule = addressRule(config.webhooks.networks);
  const sendNow = ({ id, url, secret, body, type }: Signed): Promise<Outcome> => {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `Milepost/${config.version}`,
      'milepost-delivery': id,
      'milepost-event': type,
      'milepost-signature': signatureOf(secret, Math.floor(Date.now() / 1000), body),
    };
    const { signal } = pump;
    return send({ url, headers, body }, { rule, http: config.webhooks.http, signal, ...(resolve && { resolve }) });
  };

  /** Null if the alert is gone. */
  const bodyOf = async (claimed: Claimed): Promise<string | null> => {
    const { accountId, alertId, body, id, notedAt } = claimed;
    if (body !== null || alertId === null) return body;
    // A webhook is the whole account's.
    const [told] = await readAlertDetails(db, parts, accountId, [{ alertId }], () => true);
    if (!told) return null;
    const { name } = await db.system
      .selectFrom('account')
      .select('name')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    const { publicUrl } = config.http;
    const { settings } = await db.asAccount(accountId, readAccountSettings);
    const message = messageOf(told.alert, settings);
    const written = contentOf({ id, createdAt: notedAt, organization: name, message, alert: told.alert, publicUrl });
    await keepBody(db.system, id, written);
    return written;
  };

  /** Before the delivery is over: one that is cut off here is made again. */
  const noteSent = async ({ accountId, webhookId }: Claimed, body: string): Promise<void> => {
    const { alert } = JSON.parse(body) as { readonly alert: Alert };
    const webhook = await db.system.selectFrom('webhook').select('name').where('id', '=', webhookId).executeTakeFirst();
    const link = { id: webhookId, name: webhook?.name ?? null };
    await parts.looks.sent({ accountId, userId: null, via: 'webhook', link }, [alert]);
  };

  const attempt = async (claimed: Claimed, clock: () => Date): Promise<void> => {
    const body = await bodyOf(claimed);
    if (body === null) return;
    const type = claimed.alertId === null ? 'test' : 'alert.opened';
    const outcome = await sendNow({ ...claimed, body, type });
    if (outcome.failure === null && type === 'alert.opened') await noteSent(claimed, body);
    await record(db.system, claimed, outcome, clock());
  };

  const pump = createPump<Claimed>({
    what: 'webhook deliveries',
    claim: (now, underWay) => claim(db.system, now, underWay),
    attempt,
    log,
  });

  jobs.repeat({
    name: 'old-webhook-deliveries',
    everySeconds: 3600,
    run: () => forgetOldDeliveries(db.system, new Date()),
  });
  const unfollow = signals.on('alert-changed', () => pump.wake());

  return {
    sendNow,
    wake: pump.wake,
    start: pump.start,
    look: pump.look,
    stop: async () => {
      unfollow();
      await pump.stop();
    },
  };
}
