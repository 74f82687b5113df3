import { may } from '@milepost/contract';
import { epochMs } from '@milepost/units';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import { type AskedFor, waitingFor } from '../logbook/desk/asked-for.ts';
import { readTermsOf } from '../logbook/settings/driver-terms.ts';
import { composeReminderPush } from '../notifications/compose.ts';
import { waitsUntil } from '../notifications/mail-preferences.ts';
import { readRecipients } from '../notifications/recipients.ts';
import { bodyOf, type Later, type Message } from './message.ts';
import { type ClaimedReminder, NEWS_MS } from './queue.ts';

/** A phone that was off for the night still shows it. */
const TTL_S = 24 * 3600;

/** What the driver opens on their log (`DRIVER_VIEWS` of the web app). */
const VIEW_OF: Readonly<Record<AskedFor, string>> = {
  certification: 'certify',
  proposals: 'changes',
  unidentified: 'unclaimed',
};

/**
 * What the desk asks a driver for, and how much of it waits at this moment; null if nothing does, or the user keeps no
 * log anymore.
 */
export async function reminderMessage(
  { db }: Pick<Context, 'db'>,
  { directory }: Pick<Organisation, 'directory'>,
  { about, accountId, askedBy, driverId, notedAt, userId }: ClaimedReminder,
  now: Date,
): Promise<Message | Later | null> {
  if (now.getTime() - notedAt.getTime() > NEWS_MS) return null;
  const recipient = (await readRecipients(db, accountId, [userId], 'own-log')).get(userId);
  if (!recipient) return null;
  const quietUntil = waitsUntil(recipient, 'info', epochMs(now.getTime()));
  if (quietUntil !== null) return { later: 'itself', at: new Date(quietUntil) };
  const asked = await db.asAccount(accountId, async trx => {
    const terms = await readTermsOf(trx, driverId);
    if (!terms?.settings.keepsLog || terms.archived || terms.userId !== userId) return null;
    const row = await trx.selectFrom('person').select('display_name').where('id', '=', askedBy).executeTakeFirst();
    return { count: await waitingFor(trx, { directory }, terms, about, now.getTime()), by: row?.display_name ?? null };
  });
  if (asked === null || asked.count === 0) return null;
  // Whoever also works at the desk has their own log beside it.
  const page = may(recipient.viewer, 'logbook.read') ? '/eld/own' : '/eld';
  const { by, count } = asked;
  const words = composeReminderPush(recipient, about, by ?? recipient.organisation.name, count);
  const body = bodyOf(words, `log ${about}`, `${page}?view=${VIEW_OF[about]}`);
  return body && { body, ttlS: TTL_S, isUrgent: false, alert: null };
}
