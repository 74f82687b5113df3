import { WEBHOOK_TRIES_MAX } from '@milepost/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { Outcome } from './send.ts';

/** At the same time: to a webhook, of an account, and of everyone. */
const LIMITS = { webhook: 2, account: 4, all: 32 } as const;

/** Longer than a try takes: if the server ends in the middle of one, it is tried again after this time. */
const LEASE_MS = 60_000;

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** After the first try that failed, the second …; the last is about a day after the first. */
export const RETRY_DELAYS_MS: readonly number[] = [
  ...[10 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS],
];

/** Null: it has failed for good. Nothing changes about an address that is refused, or a receiver that wants no more. */
export function delayAfter(tries: number, failure: Outcome['failure']): number | null {
  if (failure === 'gone' || failure === 'address-refused' || tries >= WEBHOOK_TRIES_MAX) return null;
  return RETRY_DELAYS_MS[tries - 1] ?? null;
}

/** A delivery whose turn it is. */
export interface Claimed {
  readonly id: string;
  readonly accountId: number;
  readonly webhookId: number;
  readonly alertId: string | null;
  readonly notedAt: Date;
  readonly tries: number;
  readonly body: string | null;
  readonly url: string;
  readonly secret: string;
}

type Candidate = Pick<Claimed, 'id' | 'accountId' | 'webhookId'>;

/**
 * Takes what is due, within the limits beside what is under way, and moves it ahead by the lease. A webhook whose
 * receiver doesn't answer holds up no other.
 */
export async function claim(
  system: Kysely<Database>,
  now: Date,
  underWay: readonly Pick<Claimed, 'accountId' | 'webhookId'>[],
): Promise<Claimed[]> {
  const { rows: due } = await sql<Candidate>`
    select due.id, webhook.account_id as "accountId", webhook.id as "webhookId" from webhook
    cross join lateral (
      select id, next_at from webhook_delivery
      where webhook_id = webhook.id and next_at <= ${now} order by next_at limit ${LIMITS.webhook}
    ) as due
    where webhook.is_on order by next_at`.execute(system);
  const ids = withinLimits(due, underWay).map(({ id }) => id);
  if (ids.length === 0) return [];
  const { rows } = await sql<Claimed>`
    update webhook_delivery as delivery
    set tries = tries + 1, tried_at = ${now}, next_at = ${new Date(now.getTime() + LEASE_MS)}
    from webhook join webhook_secret on webhook_secret.webhook_id = webhook.id
    where webhook.id = delivery.webhook_id and delivery.id = any(${ids}::uuid[]) and delivery.next_at <= ${now}
    returning delivery.id, delivery.account_id as "accountId", delivery.webhook_id as "webhookId",
      delivery.alert_id as "alertId", delivery.noted_at as "notedAt", delivery.tries, delivery.body, webhook.url,
      webhook_secret.secret`.execute(system);
  return rows;
}

export function withinLimits<C extends Pick<Claimed, 'accountId' | 'webhookId'>>(
  due: readonly C[],
  underWay: readonly Pick<Claimed, 'accountId' | 'webhookId'>[],
): C[] {
  const ofWebhook = new Map<number, number>();
  const ofAccount = new Map<number, number>();
  const add = (counts: Map<number, number>, key: number): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  const count = ({ accountId, webhookId }: Pick<Claimed, 'accountId' | 'webhookId'>): void => {
    add(ofAccount, accountId);
    add(ofWebhook, webhookId);
  };
  for (const each of underWay) count(each);
  const taken: C[] = [];
  for (const each of due) {
    if (underWay.length + taken.length >= LIMITS.all) break;
    if ((ofWebhook.get(each.webhookId) ?? 0) >= LIMITS.webhook) continue;
    if ((ofAccount.get(each.accountId) ?? 0) >= LIMITS.account) continue;
    count(each);
    taken.push(each);
  }
  return taken;
}

/** From here on what is sent is the same. */
export async function keepBody(system: Kysely<Database>, id: string, body: string): Promise<void> {
  await system.updateTable('webhook_delivery').set({ body }).where('id', '=', id).execute();
}

/** What a row says of a try that is over. */
export const outcomeColumns = ({ failure, status, tookMs, answer }: Outcome) => ({
  ...{ failure, status, answer },
  took_ms: tookMs,
});

/** Ends a try: delivered, tried again later, or failed for good. */
export async function record(
  system: Kysely<Database>,
  { id, tries }: Pick<Claimed, 'id' | 'tries'>,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const delay = outcome.failure === null ? null : delayAfter(tries, outcome.failure);
  const state = outcome.failure === null ? 'delivered' : delay === null ? 'failed' : 'waiting';
  await system
    .updateTable('webhook_delivery')
    .set({ ...outcomeColumns(outcome), state, next_at: delay === null ? null : new Date(now.getTime() + delay) })
    .where('id', '=', id)
    // If it was sent again by hand meanwhile, that counts.
    .where('tries', '=', tries)
    .execute();
}

const KEPT = '7 days';

/** Whatever came of them, and what waited for a webhook that is off. */
export async function forgetOldDeliveries(system: Kysely<Database>, now: Date): Promise<void> {
  await system
    .deleteFrom('webhook_delivery')
    .where(sql<boolean>`noted_at < ${now}::timestamptz - ${KEPT}::interval`)
    .execute();
}
