import type { ReceivedAlerts, Severity } from '@milepost/contract';
import { dateOf, homeDays } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import { type Kysely, sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import type { Reason } from './mail-preferences.ts';
import type { Recipient } from './recipients.ts';

/** What came beyond a day's limit goes out together, at this minute of the reader's clock. */
const DIGEST_MINUTE = 7 * 60;
const DAYS = 7;
const KEPT = '8 days';

export interface ForSomeone {
  readonly recipient: Pick<Recipient, 'choice' | 'timeZone' | 'viewer'>;
  readonly alertId: string;
  readonly severity: Severity;
  readonly reason: Reason;
}

/**
 * Counts alerts that are on their way to people, once for all ways; in a transaction that sends them, or notes that they
 * are to be sent. Answers for each, in order, with which digest it goes because it is beyond their limit; null: right
 * away, as do critical ones and those that nobody acknowledged.
 */
export async function countForDay(
  trx: Kysely<Database>,
  accountId: number,
  asked: readonly ForSomeone[],
  now: Date,
): Promise<(Date | null)[]> {
  if (asked.length === 0) return [];
  await sql`select pg_advisory_xact_lock(hashtextextended(${`alerts of ${accountId}`}, 0))`.execute(trx);
  const userIds = [...new Set(asked.map(({ recipient }) => recipient.viewer.userId))];
  const days = daysOf(
    asked.map(({ recipient }) => recipient),
    now,
  );
  const known = new Map(
    (
      await trx
        .selectFrom('alert_received')
        .select(['user_id', 'alert_id', 'digest_at'])
        .where('user_id', 'in', userIds)
        .where('alert_id', '=', sql<string>`any(${[...new Set(asked.map(({ alertId }) => alertId))]}::uuid[])`)
        .execute()
    ).map(row => [`${row.user_id} ${row.alert_id}`, row.digest_at]),
  );
  const counts = await countsOf(trx, accountId, days);
  const isNew: { userId: string; alertId: string; day: string; digestAt: Date | null }[] = [];
  const answers = asked.map(({ alertId, reason, recipient, severity }) => {
    const { userId } = recipient.viewer;
    const key = `${userId} ${alertId}`;
    const before = known.get(key);
    const alert = { reason, severity };
    if (before !== undefined && (before === null || !isUrgent(alert))) return before;
    const count = counts.get(userId) ?? 0;
    const digestAt = isBeyond(recipient, alert, count) ? nextDigest(recipient, now) : null;
    if (digestAt === null) counts.set(userId, count + 1);
    known.set(key, digestAt);
    isNew.push({ userId, alertId, day: days.get(userId) ?? '', digestAt });
    return digestAt;
  });
  // The last one counts where an alert is there twice.
  const values = [...new Map(isNew.map(each => [`${each.userId} ${each.alertId}`, each])).values()];
  await sql`
    insert into alert_received (user_id, alert_id, account_id, day, digest_at)
    select user_id, alert_id, ${accountId}, day, digest_at from unnest(
      ${values.map(({ userId }) => userId)}::uuid[], ${values.map(({ alertId }) => alertId)}::uuid[],
      ${values.map(({ day }) => day)}::date[], ${values.map(({ digestAt }) => digestAt)}::timestamptz[]
    ) as each (user_id, alert_id, day, digest_at)
    on conflict (user_id, alert_id) do update set digest_at = excluded.digest_at`.execute(trx);
  return answers;
}

type Kind = Pick<ForSomeone, 'reason' | 'severity'>;

const isUrgent = ({ reason, severity }: Kind): boolean => severity === 'critical' || reason !== 'opened';

/** Whether an alert is beyond someone's limit, after so many that reached them on that day. */
export const isBeyond = ({ choice: { dailyLimit } }: Pick<Recipient, 'choice'>, alert: Kind, today: number): boolean =>
  !isUrgent(alert) && dailyLimit !== null && today >= dailyLimit;

/** How many alerts have reached each of them today, by their own clocks. */
export const alertsToday = (
  db: Kysely<Database>,
  accountId: number,
  recipients: readonly Pick<Recipient, 'timeZone' | 'viewer'>[],
  now: Date,
): Promise<ReadonlyMap<string, number>> => countsOf(db, accountId, daysOf(recipients, now));

const daysOf = (recipients: readonly Pick<Recipient, 'timeZone' | 'viewer'>[], now: Date): Map<string, string> =>
  new Map(
    recipients.map(({ timeZone, viewer }) => [
      viewer.userId,
      dateOf(homeDays({ timeZone, startOfDay: 0 }).dayOf(epochMs(now.getTime()))),
    ]),
  );

async function countsOf(
  db: Kysely<Database>,
  accountId: number,
  days: ReadonlyMap<string, string>,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ userId: string; count: number }>`
    select received.user_id as "userId", count(*)::int4 as count
    from unnest(${[...days.keys()]}::uuid[], ${[...days.values()]}::date[]) as today (user_id, day)
    join alert_received as received
      on received.account_id = ${accountId} and received.user_id = today.user_id and received.day = today.day
    where digest_at is null group by received.user_id`.execute(db);
  return new Map(rows.map(({ userId, count }) => [userId, count]));
}

function nextDigest({ timeZone }: Pick<Recipient, 'timeZone'>, now: Date): Date {
  const mornings = homeDays({ timeZone, startOfDay: DIGEST_MINUTE });
  return new Date(mornings.startOf(mornings.dayOf(epochMs(now.getTime())) + 1));
}

/** What reached people in the last seven days, the newest first, by user. */
export async function readReceived(
  trx: AccountTransaction,
  userIds: readonly string[] | 'all' = 'all',
): Promise<ReadonlyMap<string, ReceivedAlerts[]>> {
  const rows = await trx
    .selectFrom('alert_received')
    .select(['user_id', sql<string>`day::text`.as('day')])
    .select(sql<number>`(count(*) filter (where digest_at is null))::int4`.as('alerts'))
    .select(sql<number>`count(digest_at)::int4`.as('beyond'))
    .select(sql<Date | null>`max(digest_at) filter (where digest_at > now())`.as('digestAt'))
    .where(sql<boolean>`day > (now() - make_interval(days => ${DAYS}))::date`)
    .$if(userIds !== 'all', query => query.where('user_id', '=', sql<string>`any(${userIds}::uuid[])`))
    .groupBy(['user_id', 'day'])
    .orderBy('day', 'desc')
    .execute();
  const byUser = new Map<string, ReceivedAlerts[]>();
  for (const { user_id, digestAt, ...counts } of rows) {
    const known = byUser.get(user_id) ?? [];
    known.push({ ...counts, digestAt: digestAt?.toISOString() ?? null });
    byUser.set(user_id, known);
  }
  return byUser;
}

/** How many alerts of a digest nobody has acknowledged yet. */
export async function countInDigest(system: Kysely<Database>, userId: string, digestAt: Date): Promise<number> {
  const { count } = await system
    .selectFrom('alert_received')
    .innerJoin('alert', 'alert.id', 'alert_received.alert_id')
    .select(sql<number>`count(*)::int4`.as('count'))
    .where('user_id', '=', userId)
    .where('digest_at', '=', digestAt)
    .where('acknowledged_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function forgetReceived(system: Kysely<Database>, now: Date): Promise<void> {
  await system
    .deleteFrom('alert_received')
    .where(sql<boolean>`day < (${now}::timestamptz - ${KEPT}::interval)::date`)
    .execute();
}
