import { createHash, randomBytes } from 'node:crypto';
import { EMAIL_LINK_HOURS, type EmailState } from '@milepost/contract';
import { type Kysely, sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import { sendNotice } from './notices.ts';
import { mayLogSecrets } from './secrets-in-log.ts';
import { createTryLimits } from './try-limits.ts';

const VALID_MS = EMAIL_LINK_HOURS * 3_600_000;
/** How many links can be sent: each is an email to someone who may not have requested it. */
const ASKS = { pair: 3, address: 40, name: 6 };

export interface EmailProposal {
  readonly token: string;
  readonly email: string;
  readonly user: { readonly id: string; readonly userName: string; readonly displayName: string };
  /** The address in use until the new one is confirmed. */
  readonly before: string | null;
}

/**
 * A new email address takes effect once the link sent to it has been opened. Until then the previous one is used for
 * sign-in and email. An address that another user has gets the same answer, with the same work.
 */
export interface EmailChanges {
  /** False where no link can be sent: a new address then applies immediately and is not confirmed. */
  readonly canSend: boolean;
  state(trx: AccountTransaction, userId: string): Promise<EmailState>;
  /** Stores the new address in the transaction of the change, replacing any pending one; throws `too-many-tries`. */
  propose(trx: AccountTransaction, userId: string, email: string, from: string): Promise<EmailProposal>;
  /** Sends the link, and a notice to the current address. Call it after the transaction. */
  send(proposal: EmailProposal): Promise<void>;
}

export function createEmailChanges(context: Context): EmailChanges {
  const { config, counters, db, log, mailer } = context;
  const asks = createTryLimits(counters, 'email change', ASKS);
  const canSend = mailer.works || mayLogSecrets(context);

  return {
    canSend,

    state: async (trx, userId) => {
      const row = await trx
        .selectFrom('app_user')
        .leftJoin('email_change', join =>
          join.onRef('email_change.user_id', '=', 'app_user.id').on('email_change.expires_at', '>', new Date()),
        )
        .select(['app_user.email', 'confirmed_email', 'email_change.email as pending', 'sent_at'])
        .select('email_change.expires_at')
        .where('app_user.id', '=', userId)
        .executeTakeFirst();
      if (!row) throw new AppError('session-ended');
      const { email, pending, sent_at: sentAt, expires_at: expiresAt } = row;
      return {
        email,
        confirmed: email !== null && email === row.confirmed_email,
        pending:
          pending && sentAt && expiresAt
            ? { email: pending, sentAt: sentAt.toISOString(), expiresAt: expiresAt.toISOString() }
            : null,
        canSend,
      };
    },

    propose: async (trx, userId, email, from) => {
      await asks.count(userId, from);
      await asks.count(email, from);
      const user = await trx
        .selectFrom('app_user')
        .select(['id', 'account_id', 'user_name', 'display_name', 'email'])
        .where('id', '=', userId)
        .executeTakeFirstOrThrow();
      const token = randomBytes(32).toString('base64url');
      const now = Date.now();
      const row = {
        email,
        token_hash: hashOf(token),
        sent_at: new Date(now),
        expires_at: new Date(now + VALID_MS),
      };
      await trx
        .insertInto('email_change')
        .values({ user_id: userId, account_id: user.account_id, ...row })
        .onConflict(conflict => conflict.column('user_id').doUpdateSet(row))
        .execute();
      const { user_name: userName, display_name: displayName } = user;
      return { token, email, user: { id: userId, userName, displayName }, before: user.email };
    },

    send: async ({ token, email, user, before }) => {
      const url = `${config.http.publicUrl}/login#email=${token}`;
      if (!mailer.works) {
        log.warn(
          { userName: user.userName, url },
          'SMTP_URL is not set, so here is the link that confirms an email address',
        );
        return;
      }
      // The address's owner is notified; the user who asked learns nothing.
      const mail = (await isOfAnother(db.system, email, user.id)) ? takenMail : linkMail(url, user.userName);
      mailer.send({ to: email, ...mail });
      if (before !== null && before !== email) {
        sendNotice(mailer, { displayName: user.displayName, email: before }, 'email-change-asked');
      }
    },
  };
}

/** Drops a pending address and ends its link, when a password is changed or an address is set without a link. */
export async function dropEmailChange(trx: AccountTransaction, userId: string): Promise<string | null> {
  const row = await trx.deleteFrom('email_change').where('user_id', '=', userId).returning('email').executeTakeFirst();
  return row?.email ?? null;
}

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

async function isOfAnother(system: Kysely<Database>, email: string, userId: string): Promise<boolean> {
  const other = await system
    .selectFrom('app_user')
    .select('id')
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('id', '!=', userId)
    .executeTakeFirst();
  return other !== undefined;
}

// Goes to an address that any user can enter, so it contains no text that a user can choose.
const linkMail = (url: string, userName: string) => ({
  subject: 'Confirm your email address',
  text: `Confirm that this is the email address of the user ${userName} in Milepost:\n\n${url}\n\nThe link works once, for ${EMAIL_LINK_HOURS} hours. Nothing changes until you use it.\n\nIf you did not request this, ignore this message.\n`,
});

const takenMail = {
  subject: 'Your email address was requested',
  text: 'Someone tried to use this email address for another user in Milepost. It belongs to your user, so nothing was changed and you can ignore this message.\n',
};
