import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { lockUser } from '../accounts/lock-user.ts';
import { hashPassword } from '../accounts/password.ts';
import { refuseBadPassword } from '../accounts/password-rules.ts';
import { passwordOwner } from '../accounts/profile.ts';
import type { OpenedSession } from '../accounts/sessions.ts';
import type { Caller, SignIn } from '../accounts/sign-in.ts';
import { createAddressLimits } from '../accounts/try-limits.ts';
import { audit } from '../audit/audit.ts';

const VALID_MS = 7 * 24 * 3_600_000;

export interface NewInvitation {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Creates an invitation link for a user without a password, replacing any earlier one. */
export async function invite(trx: AccountTransaction, accountId: number, userId: string): Promise<NewInvitation> {
  const token = randomBytes(32).toString('base64url');
  const row = { token_hash: sha256(token), created_at: new Date(), expires_at: new Date(Date.now() + VALID_MS) };
  await trx
    .insertInto('invitation')
    .values({ user_id: userId, account_id: accountId, ...row })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(row))
    .execute();
  return { token, expiresAt: row.expires_at };
}

/**
 * Emails the link if possible, and returns the address to pass on. After the `#`, the token reaches no server and no
 * log.
 */
export function sendInvitation(
  { config, mailer }: Context,
  { token, expiresAt }: NewInvitation,
  to: { readonly displayName: string; readonly email: string | null; readonly inviter: string },
) {
  const url = `${config.http.publicUrl}/login#invitation=${token}`;
  const sent = mailer.works && to.email !== null;
  if (to.email !== null) mailer.send({ to: to.email, subject: 'You are invited to Milepost', text: mailText(url, to) });
  return { url, expiresAt: expiresAt.toISOString(), sent };
}

const mailText = (url: string, { displayName, inviter }: { displayName: string; inviter: string }): string =>
  `${displayName},\n\n${inviter} invited you to their fleet in Milepost. Choose your password here:\n\n${url}\n\nThe link works once, for seven days.\n`;

/** What the holder of a link can do with it before they sign in. */
export function createInvitations({ counters, db }: Context, signIns: SignIn) {
  const tries = createAddressLimits(counters, 'invitation', 20);

  const find = async (token: string, address: string) => {
    await tries.count(address);
    const row = await db.system
      .selectFrom('invitation')
      .innerJoin('app_user', 'app_user.id', 'invitation.user_id')
      .innerJoin('account', 'account.id', 'app_user.account_id')
      .select(['app_user.id', 'app_user.account_id', 'user_name', 'display_name', 'account.name'])
      .select('invitation.expires_at')
      .where('token_hash', '=', sha256(token))
      .where('invitation.expires_at', '>', new Date())
      // A user with a password has already joined, in whatever way.
      .where('password_hash', 'is', null)
      .where('active', '=', true)
      .where(sql<boolean>`coalesce(app_user.expires_at > now(), true)`)
      .executeTakeFirst();
    if (!row) throw new AppError('invitation-over');
    await tries.forgive(address);
    return row;
  };

  return {
    read: async (token: string, { address }: Caller) => {
      const row = await find(token, address);
      return {
        userName: row.user_name,
        displayName: row.display_name,
        organisation: row.name,
        expiresAt: row.expires_at.toISOString(),
      };
    },

    accept: async (
      { token, password, displayName }: { token: string; password: string; displayName?: string | undefined },
      caller: Caller,
    ): Promise<OpenedSession> => {
      const row = await find(token, caller.address);
      const owner = await passwordOwner(db.system, row.id);
      await refuseBadPassword('password', password, { ...owner, displayName: displayName ?? owner.displayName ?? '' });
      const passwordHash = await hashPassword(password);
      await db.asAccount(row.account_id, async trx => {
        await lockUser(trx, row.id);
        // Deleting the row first makes sure that a link is used only once.
        const { numDeletedRows } = await trx
          .deleteFrom('invitation')
          .where('token_hash', '=', sha256(token))
          .executeTakeFirst();
        if (numDeletedRows === 0n) throw new AppError('invitation-over');
        await trx
          .updateTable('app_user')
          .set({
            password_hash: passwordHash,
            must_change_password: false,
            ...(displayName !== undefined && { display_name: displayName }),
          })
          .where('id', '=', row.id)
          .execute();
        const author = { accountId: row.account_id, userId: row.id, userName: row.user_name, via: 'sign-in' } as const;
        const target = { id: row.id, name: row.user_name };
        await audit(trx, { ...author, address: caller.address }, { action: 'user.joined', target });
      });
      return signIns.forUser(row.id, 'invitation', caller, {});
    },
  };
}

const sha256 = (secret: string): Buffer => createHash('sha256').update(secret).digest();
