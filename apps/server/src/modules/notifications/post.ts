import type { Alert, Severity } from '@milepost/contract';
import { epochMs } from '@milepost/units';
import type { Context } from '../../context.ts';
import type { Databases } from '../../db/database.ts';
import type { Mail } from '../../mail/mailer.ts';
import { REQUEST } from '../alerts/audience.ts';
import { seesOther } from '../alerts/store.ts';
import type { Looks } from '../privacy/looks.ts';
import { readAlertSentences } from '../rules/rule-sentences.ts';
import { type AlertDetailParts, readAlertDetails } from './alert-details.ts';
import { composeAlertMail } from './compose.ts';
import { isRecipient, type RecipientParts } from './is-recipient.ts';
import { waitsUntil } from './mail-preferences.ts';
import { beginMail, endMail, failMail } from './pace.ts';
import { type Recipient, readRecipients } from './recipients.ts';
import {
  dropAll,
  dropItems,
  type Item,
  readBegun,
  readBegunItems,
  readNewItems,
  readWaiting,
  type Waiting,
} from './waiting.ts';

export type PostContext = Pick<Context, 'config' | 'db' | 'log' | 'mailer'>;
export type PostParts = RecipientParts & AlertDetailParts & { readonly looks: Pick<Looks, 'sent'> };

/** A slow mail server does not hold up everybody behind one. */
const SIDE_BY_SIDE = 5;

/** What is left then goes with the next round, and others' alerts are handed on in between. */
const ROUND_MS = 30_000;

/**
 * Sends what waits, one mail at a time for each recipient. A mail is begun in the database before it is handed in and
 * ended afterwards; one that was begun and not ended, because the server was, goes out again with what was in it and
 * under the same Message-ID. One that may not go in quiet hours holds up nothing that may.
 */
export async function postMails(
  context: PostContext,
  parts: PostParts,
  clock: () => Date,
  goesOn: () => boolean | Promise<boolean>,
): Promise<void> {
  const { db, log } = context;
  const endsAt = clock().getTime() + ROUND_MS;
  const due = await readDue(db, clock());
  const postOne = (waiting: Waiting): Promise<void> =>
    post(context, parts, waiting, clock).catch((error: unknown) =>
      log.error({ err: error, accountId: waiting.accountId }, 'Could not prepare an alert email; retrying'),
    );
  for (let next = 0; next < due.length; next += SIDE_BY_SIDE) {
    if (clock().getTime() >= endsAt || !(await goesOn())) return;
    await Promise.all(due.slice(next, next + SIDE_BY_SIDE).map(postOne));
  }
}

/** Those who wait for nothing but what their quiet hours hold are left out: they may be many, all night. */
async function readDue(db: Databases, now: Date): Promise<Waiting[]> {
  const waiting = await readWaiting(db.system, now);
  const recipients = new Map<string, Recipient>();
  for (const accountId of new Set(waiting.map(each => each.accountId))) {
    for (const [userId, recipient] of await readRecipients(db, accountId)) recipients.set(userId, recipient);
  }
  return waiting.filter(each => {
    const recipient = recipients.get(each.userId);
    return !recipient || freeOf(recipient, each, now).length > 0;
  });
}

/** The severities of what waits that need not wait for the end of quiet hours. */
const freeOf = (recipient: Recipient, { severities }: Waiting, now: Date): Severity[] =>
  severities.filter(severity => waitsUntil(recipient, severity, epochMs(now.getTime())) === null);

async function post(context: PostContext, parts: PostParts, waiting: Waiting, clock: () => Date): Promise<void> {
  const { db, mailer } = context;
  const { accountId, userId } = waiting;
  const recipient = (await readRecipients(db, accountId, [userId])).get(userId);
  if (!recipient) return dropAll(db.system, userId);
  const now = clock();
  const free = freeOf(recipient, waiting, now);
  if (free.length === 0) return;
  const begun = await readBegun(db.system, userId, free);
  const items = begun
    ? await readBegunItems(db.system, userId, begun.mailId)
    : await readNewItems(db.system, userId, free, now);
  const wanted = items.filter(item => isStillWanted(item, recipient, parts));
  // Permissions or preferences have changed since, or someone has acknowledged it.
  await dropItems(
    db.system,
    items.filter(item => !wanted.includes(item)),
  );
  if (!wanted.some(({ severity }) => free.includes(severity))) return;

  const ids = wanted.map(({ id }) => id);
  const mailId = begun?.mailId ?? (await beginMail(db.system, { accountId, userId, ids, now }));
  if (mailId === null) return;
  const { alerts, ...content } = await written(context, parts, recipient, wanted);
  const outcome = await mailer.deliver({ ...content, id: mailId });
  const mail = { userId, mailId, now: clock() };
  if (outcome === 'sent') {
    await parts.looks.sent({ accountId, userId, via: 'email' }, alerts);
    await endMail(db.system, mail);
  } else {
    const tries = begun ? waiting.tries + 1 : 1;
    await failMail(db.system, { ...mail, since: begun?.since ?? now, tries, failure: outcome });
  }
}

/** A request for action is over once someone has acted. */
const isStillWanted = (item: Item, recipient: Recipient, parts: PostParts): boolean =>
  isRecipient(recipient, item, item.reason, parts) &&
  (item.acknowledgedAt === null || (item.reason === 'opened' && item.kind !== REQUEST));

/** As everything is at this moment. */
async function written(
  { config, db }: PostContext,
  parts: PostParts,
  recipient: Recipient,
  items: readonly Item[],
): Promise<Mail & { readonly alerts: readonly Alert[] }> {
  const escalated = new Set(items.flatMap(({ alertId, reason }) => (reason === 'opened' ? [] : alertId)));
  const once = items.filter(({ alertId, reason }) => reason !== 'opened' || !escalated.has(alertId));
  const told = await readAlertDetails(db, parts, recipient.viewer.accountId, once, seesOther(recipient.viewer, parts));
  const sentences = await db.asAccount(recipient.viewer.accountId, trx =>
    readAlertSentences(
      trx,
      parts,
      recipient,
      told.map(({ alertId }) => alertId),
    ),
  );
  const withHeld = told.map(each => ({
    ...each,
    sentence: sentences.get(each.alertId)?.whole ?? null,
    held: waitsUntil(recipient, each.severity, epochMs(each.notedAt.getTime())) !== null,
  }));
  const mail = composeAlertMail(recipient, withHeld, config.http.publicUrl);
  return { ...mail, alerts: told.map(({ alert }) => alert) };
}
