import { MAIL_FAILURES, type MailFailure } from '@milepost/contract';
import { type Kysely, sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import { forgetOutcomes } from '../push/queue.ts';
import { forgetReceived } from './daily-limit.ts';

/** How the sending goes, for an account's settings. */
export interface Delivery {
  readonly waiting: number;
  readonly lastSentAt: string | null;
  readonly lastFailure: { readonly at: string; readonly reason: MailFailure } | null;
  readonly givenUp: number;
}

export async function readDelivery(trx: AccountTransaction): Promise<Delivery> {
  const counts = await trx
    .selectFrom('alert_mail')
    .select(sql<number>`(count(*) filter (where sent_at is null and given_up_at is null))::int4`.as('waiting'))
    .select(sql<number>`count(given_up_at)::int4`.as('givenUp'))
    .executeTakeFirstOrThrow();
  const { lastSentAt } = await trx
    .selectFrom('alert_mail_pace')
    .select(({ fn }) => fn.max('last_sent_at').as('lastSentAt'))
    .executeTakeFirstOrThrow();
  const failed = await unmended(trx).orderBy('last_failed_at', 'desc').limit(1).executeTakeFirst();
  const reason = MAIL_FAILURES.find(each => each === failed?.last_failure);
  return {
    ...counts,
    lastSentAt: lastSentAt?.toISOString() ?? null,
    lastFailure: failed?.last_failed_at && reason ? { at: failed.last_failed_at.toISOString(), reason } : null,
  };
}

/** For the installation's health: null while mails about alerts go out. */
export async function readTrouble(system: Kysely<Database>): Promise<string | null> {
  const failed = await unmended(system)
    .where('tries', '>', 0)
    .where('given_up_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (failed) return 'Mail about alerts is not going out; it is tried again. The log says why.';
  const givenUp = await system
    .selectFrom('alert_mail')
    .select('id')
    .where('given_up_at', '>', sql<Date>`now() - interval '1 day'`)
    .limit(1)
    .executeTakeFirst();
  return givenUp ? 'Mail about alerts was given up within the last day. The log says why.' : null;
}

/** Nothing has been sent to the same recipient since, and what could not be sent is still pending. */
const unmended = (db: AccountTransaction | Kysely<Database>) =>
  db
    .selectFrom('alert_mail_pace')
    .innerJoin('alert_mail', 'alert_mail.user_id', 'alert_mail_pace.user_id')
    .select(['last_failure', 'last_failed_at'])
    .where('mail_id', 'is not', null)
    .where('sent_at', 'is', null)
    .where('last_failed_at', 'is not', null)
    .where(({ eb, or, ref }) => or([eb('last_sent_at', 'is', null), eb('last_failed_at', '>', ref('last_sent_at'))]));

const KEPT = '7 days';

/** What was sent or given up is kept for a week, for the count; so is what reached whom. */
export async function forgetOld(system: Kysely<Database>, now: Date): Promise<void> {
  await system
    .deleteFrom('alert_mail')
    .where(sql<boolean>`coalesce(sent_at, given_up_at) < ${now}::timestamptz - ${KEPT}::interval`)
    .execute();
  await forgetOutcomes(system, now);
  await forgetReceived(system, now);
}
