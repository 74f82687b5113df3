import type { Alert } from '@milepost/contract';
import { epochMs } from '@milepost/units';
import type { Context } from '../../context.ts';
import { seesAlert } from '../alerts/audience.ts';
import { seesOther } from '../alerts/store.ts';
import { type AlertDetailParts, readAlertDetails } from '../notifications/alert-details.ts';
import { composeAlertPush, composeDigestPush } from '../notifications/compose.ts';
import { countForDay, countInDigest } from '../notifications/daily-limit.ts';
import type { RecipientParts } from '../notifications/is-recipient.ts';
import { waitsUntil } from '../notifications/mail-preferences.ts';
import { readRecipients } from '../notifications/recipients.ts';
import type { Looks } from '../privacy/looks.ts';
import { readAlertSentences } from '../rules/rule-sentences.ts';
import { addressRule } from '../webhooks/addresses.ts';
import { linkTo } from '../webhooks/content.ts';
import { createPump, type Pump } from '../webhooks/pump.ts';
import { send } from '../webhooks/send.ts';
import { encryptPush, PAYLOAD_BYTES } from './encrypt.ts';
import { type Claimed, claim, drop, endSubscription, leaveForDigest, NEWS_MS, postpone, sent } from './queue.ts';
import { contactOf, ensurePushKey, type PushKey, vapidHeader } from './vapid.ts';

export type Push = Pick<Pump, 'start' | 'look' | 'stop'> & { readonly key: PushKey };
export type PushParts = AlertDetailParts & RecipientParts & { readonly looks: Pick<Looks, 'sent'> };

interface Message {
  readonly body: Buffer;
  /** Null for a digest, which only counts. */
  readonly alert: Alert | null;
}

const withAlert = (body: Buffer | null, alert: Alert | null): Message | null => body && { body, alert };

const HOUR_S = 3600;
/** A phone that was off for the night still shows a call for help. */
const TTL_S = { critical: 24 * HOUR_S, warning: HOUR_S, info: HOUR_S } as const;
const TITLE_CHARACTERS = 150;
const BODY_CHARACTERS = 400;

/** Alerts on their way to users' browsers. The queue is in the database, as that of webhooks. */
export async function openPush(context: Context, parts: PushParts): Promise<Push> {
  const { config, db, log, signals } = context;
  const rule = addressRule(config.webhooks.networks);
  const contact = contactOf(config.http.publicUrl);
  const key = await ensurePushKey(db.system);

  /**
   * What to show, as everything is at this moment; null if there is nothing to show, or nobody to show it to. The time of
   * the user's digest if it is beyond their limit.
   */
  const messageFor = async (claimed: Claimed, now: Date): Promise<Message | Date | null> => {
    const { accountId, acknowledgedAt, alertId, notedAt, reason, severity, userId } = claimed;
    if ((acknowledgedAt !== null && reason !== 'digest') || now.getTime() - notedAt.getTime() > NEWS_MS) return null;
    const recipient = (await readRecipients(db, accountId, [userId], 'push')).get(userId);
    if (!recipient || !seesAlert(recipient.viewer, claimed, parts)) return null;
    if (waitsUntil(recipient, severity, epochMs(now.getTime())) !== null) return null;
    if (reason === 'digest') {
      const count = await countInDigest(db.system, userId, notedAt);
      return count === 0 ? null : withAlert(messageOf(composeDigestPush(recipient, count), 'digest', '/alerts'), null);
    }
    const [digestAt] = await db.system
      .transaction()
      .execute(trx => countForDay(trx, accountId, [{ recipient, alertId, severity, reason }], now));
    if (digestAt) return digestAt;
    const [told] = await readAlertDetails(db, parts, accountId, [{ alertId }], seesOther(recipient.viewer, parts));
    if (!told) return null;
    const sentences = await db.asAccount(accountId, trx => readAlertSentences(trx, parts, recipient, [alertId]));
    const condition = sentences.get(alertId)?.condition ?? null;
    // One that nobody has acknowledged is shown again.
    const tag = reason === 'opened' ? alertId : `${alertId} ${reason}`;
    const { alert } = told;
    return withAlert(messageOf(composeAlertPush(recipient, alert, reason, condition), tag, linkTo(alert, '')), alert);
  };

  const attempt = async (claimed: Claimed, clock: () => Date, signal: AbortSignal): Promise<void> => {
    const message = await messageFor(claimed, clock());
    if (message === null) return drop(db.system, claimed);
    if (message instanceof Date) return leaveForDigest(db.system, claimed, message);
    const { accountId, endpoint, severity, userId } = claimed;
    const headers = {
      authorization: vapidHeader(key, endpoint, contact, Math.floor(Date.now() / 1000)),
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(TTL_S[severity]),
      urgency: severity === 'critical' ? 'high' : 'normal',
    };
    const body = encryptPush(message.body, claimed);
    const { failure, status } = await send(
      { url: endpoint, headers, body },
      { rule, http: config.webhooks.http, signal },
    );
    if (failure === null) {
      if (message.alert) await parts.looks.sent({ accountId, userId, via: 'push' }, [message.alert]);
      return sent(db.system, claimed, clock());
    }
    // RFC 8030 section 7.3: the subscription has expired.
    const isOver = status === 404 || status === 410 || failure === 'address-refused';
    return isOver ? endSubscription(db.system, claimed) : postpone(db.system, claimed, clock());
  };

  const pump = createPump<Claimed>({
    what: 'push notifications',
    claim: (now, underWay) => claim(db.system, now, underWay),
    attempt,
    log,
  });
  const unfollow = signals.on('alert-changed', () => pump.wake());

  return {
    key,
    start: pump.start,
    look: pump.look,
    stop: async () => {
      unfollow();
      await pump.stop();
    },
  };
}

function messageOf(
  { body, title }: { readonly title: string; readonly body: string },
  tag: string,
  path: string,
): Buffer | null {
  const shown = { title: title.slice(0, TITLE_CHARACTERS), body: body.slice(0, BODY_CHARACTERS), tag, path };
  const message = Buffer.from(JSON.stringify(shown));
  return message.length <= PAYLOAD_BYTES ? message : null;
}
