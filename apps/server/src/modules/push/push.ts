import type { Context } from '../../context.ts';
import type { AlertDetailParts } from '../notifications/alert-details.ts';
import type { RecipientParts } from '../notifications/is-recipient.ts';
import type { Looks } from '../privacy/looks.ts';
import { addressRule } from '../webhooks/addresses.ts';
import { createPump, type Pump } from '../webhooks/pump.ts';
import { send } from '../webhooks/send.ts';
import { alertMessage } from './alert-message.ts';
import { encryptPush } from './encrypt.ts';
import {
  type Claimed,
  claim,
  drop,
  endSubscription,
  leaveForDigest,
  leaveOut,
  leaveUntil,
  postpone,
  sent,
} from './queue.ts';
import { reminderMessage } from './reminder-message.ts';
import { contactOf, ensurePushKey, type PushKey, vapidHeader } from './vapid.ts';

export type Push = Pick<Pump, 'start' | 'look' | 'stop'> & { readonly key: PushKey };
export type PushParts = AlertDetailParts & RecipientParts & { readonly looks: Pick<Looks, 'sent'> };

/**
 * Alerts, and what the desk asks drivers for, on their way to users' browsers. The queue is in the database, as that of
 * webhooks.
 */
export async function openPush(context: Context, parts: PushParts): Promise<Push> {
  const { config, db, log, signals } = context;
  const rule = addressRule(config.webhooks.networks);
  const contact = contactOf(config.http.publicUrl);
  const key = await ensurePushKey(db.system);

  const attempt = async (claimed: Claimed, clock: () => Date, signal: AbortSignal): Promise<void> => {
    const message =
      claimed.reason === 'reminder'
        ? await reminderMessage(context, parts, claimed, clock())
        : await alertMessage(context, parts, claimed, clock());
    if (message === null) return drop(db.system, claimed);
    if (message === 'quiet') return leaveOut(db.system, claimed, clock());
    if ('later' in message) {
      const { at, later } = message;
      const isInDigest = later === 'digest' && claimed.reason !== 'reminder';
      return isInDigest ? leaveForDigest(db.system, claimed, at, clock()) : leaveUntil(db.system, claimed, at);
    }
    const { accountId, endpoint, userId } = claimed;
    const headers = {
      authorization: vapidHeader(key, endpoint, contact, Math.floor(Date.now() / 1000)),
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(message.ttlS),
      urgency: message.isUrgent ? 'high' : 'normal',
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
    return isOver ? endSubscription(db.system, claimed, clock()) : postpone(db.system, claimed, clock());
  };

  const pump = createPump<Claimed>({
    what: 'push notifications',
    claim: (now, underWay) => claim(db.system, now, underWay),
    attempt,
    log,
  });
  const unfollows = [signals.on('alert-changed', () => pump.wake()), signals.on('driver-asked', () => pump.wake())];

  return {
    key,
    start: pump.start,
    look: pump.look,
    stop: async () => {
      for (const unfollow of unfollows) unfollow();
      await pump.stop();
    },
  };
}
