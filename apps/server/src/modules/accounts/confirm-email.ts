import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import { hashOf } from './email-changes.ts';
import { lockUser } from './lock-user.ts';
import { sendNotice } from './notices.ts';
import { takenProblem } from './taken.ts';
import { createAddressLimits } from './try-limits.ts';

/**
 * Confirms an address with its link, signed in or not: the link alone identifies the address. The answer is the same
 * for a link that is wrong, used, replaced or expired, and for one whose address another user has taken since.
 */
export function createEmailConfirmation({ counters, db, mailer }: Context) {
  const tries = createAddressLimits(counters, 'confirm email', 20);

  return async (token: string, from: string): Promise<{ readonly email: string }> => {
    await tries.count(from);
    const hash = hashOf(token);
    const found = await db.system
      .selectFrom('email_change')
      .select(['account_id', 'user_id'])
      .where('token_hash', '=', hash)
      .executeTakeFirst();
    if (!found) throw new AppError('email-link-over');
    const { account_id: accountId, user_id: userId } = found;

    const { before, email } = await db
      .asAccount(accountId, async trx => {
        await lockUser(trx, userId);
        // Deleting the row first makes sure that a link is used only once.
        const link = await trx
          .deleteFrom('email_change')
          .where('token_hash', '=', hash)
          .where('expires_at', '>', new Date())
          .returning('email')
          .executeTakeFirst();
        if (!link) throw new AppError('email-link-over');
        const { email } = link;
        const before = await trx
          .selectFrom('app_user')
          .select(['user_name', 'display_name', 'email'])
          .where('id', '=', userId)
          .executeTakeFirstOrThrow();
        await trx.updateTable('app_user').set({ email, confirmed_email: email }).where('id', '=', userId).execute();
        const author = { accountId, userId, userName: before.user_name, via: 'sign-in', address: from } as const;
        await audit(trx, author, {
          action: 'email.confirmed',
          target: { id: userId, name: before.user_name },
          changes: changesBetween({ email: before.email }, { email }),
        });
        return { before, email };
      })
      .catch((error: unknown) => {
        const problem = takenProblem(error);
        throw problem instanceof AppError && problem.code === 'email-taken' ? new AppError('email-link-over') : problem;
      });
    await tries.forgive(from);
    if (before.email !== email) {
      sendNotice(mailer, { displayName: before.display_name, email: before.email }, 'email-changed');
    }
    return { email };
  };
}
