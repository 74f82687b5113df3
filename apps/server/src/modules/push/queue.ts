import { type AlertKind, DELIVERY_DAYS, type Severity } from '@milepost/contract';
import { type Insertable, type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { AskedFor } from '../logbook/desk/asked-for.ts';
import { MUTED } from '../notifications/is-recipient.ts';

/** At the same time: of everyone, and taken of an account in one go. */
const AT_ONCE = 32;
const OF_AN_ACCOUNT = 8;
/** Longer than a try takes: if the server ends in the middle of one, it is tried again after this time. */
const LEASE_MS = 60_000;
const MINUTE_MS = 60_000;
const RETRY_DELAYS_MS: readonly number[] = [10_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS];
/** What could not be sent for so long is no longer news: the app and the emails have it. */
export const NEWS_MS = 60 * MINUTE_MS;

interface Delivery {
  readonly id: string;
  readonly accountId: number;
  readonly subscriptionId: number;
  readonly userId: string;
  readonly endpoint: string;
  readonly p256dh: Buffer;
  readonly auth: Buffer;
  readonly notedAt: Date;
  readonly tries: number;
  readonly userAgent: string | null;
}

export interface ClaimedAlert extends Delivery {
  readonly reason: 'opened' | 'ruleEscalated' | 'digest';
  readonly alertId: string;
  readonly kind: AlertKind;
  readonly severity: Severity;
  readonly vehicleId: number | null;
  readonly driverId: number | null;
  readonly taskBy: string | null;
  readonly askedBy: string | null;
  readonly acknowledgedAt: Date | null;
  readonly isMuted: boolean;
  readonly mutedBy: readonly string[];
}

/** What the desk asks this driver for. */
export interface ClaimedReminder extends Delivery {
  readonly reason: 'reminder';
  readonly driverId: number;
  readonly about: AskedFor;
  readonly askedBy: string;
}

export type Claimed = ClaimedAlert | ClaimedReminder;

/** Takes what is due, and moves it ahead by the lease. */
export async function claim(system: Kysely<Database>, now: Date, underWay: readonly unknown[]): Promise<Claimed[]> {
  const room = AT_ONCE - underWay.length;
  if (room <= 0) return [];
  const { rows } = await sql<Claimed>`
    with due as (
      select id from (
        select id, next_at, row_number() over (partition by account_id order by next_at) as place
        from push_delivery where next_at <= ${now}
      ) as each where place <= ${OF_AN_ACCOUNT} order by next_at limit ${room}
    )
    update push_delivery as delivery
    set tries = delivery.tries + 1, next_at = ${new Date(now.getTime() + LEASE_MS)}
    from due join push_delivery as of on of.id = due.id
      join push_subscription as subscription on subscription.id = of.subscription_id
      left join alert on alert.id = of.alert_id
      left join command on command.id = alert.command_id left join task on task.id = alert.task_id
    where delivery.id = due.id and delivery.next_at <= ${now}
    returning delivery.id, delivery.account_id as "accountId", subscription.id as "subscriptionId",
      subscription.user_id as "userId", subscription.endpoint, subscription.p256dh, subscription.auth,
      alert.id as "alertId", delivery.noted_at as "notedAt", delivery.tries, alert.kind, alert.severity,
      alert.vehicle_id as "vehicleId", coalesce(delivery.driver_id, alert.driver_id) as "driverId",
      coalesce(delivery.asked_by, command.created_by) as "askedBy", task.created_by as "taskBy",
      alert.acknowledged_at as "acknowledgedAt", delivery.reason, delivery.about,
      subscription.user_agent as "userAgent", ${MUTED.isMuted} as "isMuted", ${MUTED.mutedBy} as "mutedBy"`.execute(
    system,
  );
  return rows;
}

export async function drop(system: Kysely<Database>, { id }: Pick<Claimed, 'id'>): Promise<void> {
  await system.deleteFrom('push_delivery').where('id', '=', id).execute();
}

type Outcome = Insertable<Database['push_outcome']>['outcome'];

/**
 * Takes it from the queue and keeps what came of it, for users who look at the alert. A digest is about many alerts, a
 * reminder about none.
 */
async function settle(system: Kysely<Database>, claimed: Claimed, outcome: Outcome, now: Date): Promise<void> {
  await system.transaction().execute(async trx => {
    await drop(trx, claimed);
    const { accountId, notedAt, userAgent, userId } = claimed;
    if (claimed.reason === 'digest' || claimed.reason === 'reminder') return;
    const { alertId, reason } = claimed;
    await trx
      .insertInto('push_outcome')
      .values({
        ...{ account_id: accountId, alert_id: alertId, user_id: userId, user_agent: userAgent, reason, outcome },
        ...{ noted_at: notedAt, ended_at: now },
      })
      .execute();
  });
}

/** It opened in the user's quiet hours. */
export const leaveOut = (system: Kysely<Database>, claimed: Claimed, now: Date): Promise<void> =>
  settle(system, claimed, 'quiet', now);

/** What came of them is kept as long as emails are. */
export async function forgetOutcomes(system: Kysely<Database>, now: Date): Promise<void> {
  await system
    .deleteFrom('push_outcome')
    .where(sql<boolean>`ended_at < ${now}::timestamptz - make_interval(days => ${DELIVERY_DAYS})`)
    .execute();
}

/** With all that is beyond the user's limit of alerts a day: one notification for each browser. */
export async function leaveForDigest(
  system: Kysely<Database>,
  claimed: ClaimedAlert,
  digestAt: Date,
  now: Date,
): Promise<void> {
  await sql`
    insert into push_delivery (account_id, subscription_id, alert_id, noted_at, next_at, reason)
    values (${claimed.accountId}, ${claimed.subscriptionId}, ${claimed.alertId}, ${digestAt}, ${digestAt}, 'digest')
    on conflict do nothing`.execute(system);
  await settle(system, claimed, 'limit', now);
}

/** As if it were new then. */
export async function leaveUntil(system: Kysely<Database>, { id }: Claimed, at: Date): Promise<void> {
  await system.updateTable('push_delivery').set({ next_at: at, noted_at: at, tries: 0 }).where('id', '=', id).execute();
}

export async function sent(system: Kysely<Database>, claimed: Claimed, now: Date): Promise<void> {
  await settle(system, claimed, 'sent', now);
  await system
    .updateTable('push_subscription')
    .set({ last_sent_at: now })
    .where('id', '=', claimed.subscriptionId)
    .execute();
}

/** Later, unless it was tried often enough. */
export async function postpone(system: Kysely<Database>, claimed: Claimed, now: Date): Promise<void> {
  const delay = RETRY_DELAYS_MS[claimed.tries - 1];
  if (delay === undefined) return settle(system, claimed, 'failed', now);
  await system
    .updateTable('push_delivery')
    .set({ next_at: new Date(now.getTime() + delay) })
    .where('id', '=', claimed.id)
    .execute();
}

/** The browser wants no more, or was removed: with all that waits for it. */
export async function endSubscription(system: Kysely<Database>, claimed: Claimed, now: Date): Promise<void> {
  await settle(system, claimed, 'failed', now);
  await system.deleteFrom('push_subscription').where('id', '=', claimed.subscriptionId).execute();
}
