import { epochMs } from '@milepost/units';
import type { Context } from '../../context.ts';
import { seesAlert } from '../alerts/audience.ts';
import { seesOther } from '../alerts/store.ts';
import { type AlertDetailParts, readAlertDetails } from '../notifications/alert-details.ts';
import { composeAlertPush, composeDigestPush } from '../notifications/compose.ts';
import { countForDay, countInDigest } from '../notifications/daily-limit.ts';
import { isMutedFor, type RecipientParts } from '../notifications/is-recipient.ts';
import { waitsUntil } from '../notifications/mail-preferences.ts';
import { readRecipients } from '../notifications/recipients.ts';
import { readAlertSentences } from '../rules/rule-sentences.ts';
import { linkTo } from '../webhooks/content.ts';
import { bodyOf, type Later, type Message } from './message.ts';
import { type ClaimedAlert, NEWS_MS } from './queue.ts';

const HOUR_S = 3600;
/** A phone that was off for the night still shows a call for help. */
const TTL_S = { critical: 24 * HOUR_S, warning: HOUR_S, info: HOUR_S } as const;

/**
 * What to show, as everything is at this moment; null if there is nothing to show, or nobody to show it to, `quiet` in
 * the user's quiet hours.
 */
export async function alertMessage(
  { db }: Pick<Context, 'db'>,
  parts: AlertDetailParts & RecipientParts,
  claimed: ClaimedAlert,
  now: Date,
): Promise<Message | Later | 'quiet' | null> {
  const { accountId, acknowledgedAt, alertId, notedAt, reason, severity, userId } = claimed;
  if ((acknowledgedAt !== null && reason !== 'digest') || now.getTime() - notedAt.getTime() > NEWS_MS) return null;
  const recipient = (await readRecipients(db, accountId, [userId], 'push')).get(userId);
  if (!recipient || !seesAlert(recipient.viewer, claimed, parts)) return null;
  if (reason !== 'digest' && isMutedFor(recipient, claimed)) return null;
  if (waitsUntil(recipient, severity, epochMs(now.getTime())) !== null) return 'quiet';
  const sending = { ttlS: TTL_S[severity], isUrgent: severity === 'critical' };
  if (reason === 'digest') {
    const count = await countInDigest(db.system, userId, notedAt);
    const body = count === 0 ? null : bodyOf(composeDigestPush(recipient, count), 'digest', '/alerts');
    return body && { ...sending, body, alert: null };
  }
  const [digestAt] = await db.system
    .transaction()
    .execute(trx => countForDay(trx, accountId, [{ recipient, alertId, severity, reason }], now));
  if (digestAt) return { later: 'digest', at: digestAt };
  const [told] = await readAlertDetails(db, parts, accountId, [{ alertId }], seesOther(recipient.viewer, parts));
  if (!told) return null;
  const sentences = await db.asAccount(accountId, trx => readAlertSentences(trx, parts, recipient, [alertId]));
  const condition = sentences.get(alertId)?.condition ?? null;
  // One that nobody has acknowledged is shown again.
  const tag = reason === 'opened' ? alertId : `${alertId} ${reason}`;
  const { alert } = told;
  const body = bodyOf(composeAlertPush(recipient, alert, reason, condition), tag, linkTo(alert, ''));
  return body && { ...sending, body, alert };
}
