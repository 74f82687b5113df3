import { randomUUID } from 'node:crypto';
import type { MailFailure } from '@milepost/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';

const MINUTE_MS = 60_000;
/** Of mails to the same recipient. */
const BETWEEN_MAILS_MS = MINUTE_MS;
const LONGEST_DELAY_MS = 15 * MINUTE_MS;
/** What could not be sent for so long is sent no more. */
const GIVE_UP_MS = 24 * 60 * MINUTE_MS;

/** After the first failure a minute, then twice as long each time. */
const delayAfter = (tries: number): number => Math.min(MINUTE_MS * 2 ** (tries - 1), LONGEST_DELAY_MS);

interface Begun {
  readonly userId: string;
  readonly mailId: string;
  readonly now: Date;
}

/**
 * From here on the mail has its id, and this is in it. Null if some of it is in another mail meanwhile: a server that
 * hung for a while goes on where it was, and the one that led in its place has begun that mail.
 */
export function beginMail(
  system: Kysely<Database>,
  { accountId, userId, ids, now }: Pick<Begun, 'userId' | 'now'> & { accountId: number; ids: readonly string[] },
): Promise<string | null> {
  const mailId = randomUUID();
  const pace = { next_at: now, tries: 0 };
  const nothingYet = { last_sent_at: null, last_failure: null, last_failed_at: null };
  return system.transaction().execute(async trx => {
    // Of two that begin at once, the second waits here, and finds nothing.
    const waiting = await trx
      .selectFrom('alert_mail')
      .select('id')
      .where('id', 'in', ids)
      .where('mail_id', 'is', null)
      .orderBy('id')
      .forUpdate()
      .execute();
    if (waiting.length < ids.length) return null;
    await trx
      .insertInto('alert_mail_pace')
      .values({ ...pace, ...nothingYet, user_id: userId, account_id: accountId })
      .onConflict(conflict => conflict.column('user_id').doUpdateSet(pace))
      .execute();
    await trx.updateTable('alert_mail').set({ mail_id: mailId, begun_at: now }).where('id', 'in', ids).execute();
    return mailId;
  });
}

export async function endMail(system: Kysely<Database>, { userId, mailId, now }: Begun): Promise<void> {
  await system.transaction().execute(async trx => {
    await trx
      .updateTable('alert_mail_pace')
      .set({ next_at: new Date(now.getTime() + BETWEEN_MAILS_MS), last_sent_at: now, tries: 0 })
      .where('user_id', '=', userId)
      .execute();
    await trx
      .updateTable('alert_mail')
      .set({ sent_at: now })
      .where('user_id', '=', userId)
      .where('mail_id', '=', mailId)
      .execute();
  });
}

/** It is tried again later, and given up after a day with all that has waited behind it for as long. */
export async function failMail(
  system: Kysely<Database>,
  { userId, mailId, now, tries, since, failure }: Begun & { tries: number; since: Date; failure: MailFailure },
): Promise<void> {
  const at = now.getTime();
  const isOver = at - since.getTime() >= GIVE_UP_MS;
  const next = { next_at: new Date(at + delayAfter(tries)), last_failure: failure, last_failed_at: now };
  await system.transaction().execute(async trx => {
    await trx
      .updateTable('alert_mail_pace')
      .set({ ...next, tries: isOver ? 0 : tries })
      .where('user_id', '=', userId)
      .execute();
    if (!isOver) return;
    await trx
      .updateTable('alert_mail')
      .set({ given_up_at: now })
      .where('user_id', '=', userId)
      .where('sent_at', 'is', null)
      .where('given_up_at', 'is', null)
      .where(({ eb, or }) => or([eb('mail_id', '=', mailId), eb('noted_at', '<=', new Date(at - GIVE_UP_MS))]))
      .execute();
  });
}
