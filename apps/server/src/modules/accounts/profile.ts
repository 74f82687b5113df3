import type { profileChangeSchema } from '@milepost/contract';
import type { z } from 'zod';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { audit, authorOf, changesBetween, secretChanged } from '../audit/audit.ts';
import { dropEmailChange, type EmailChanges } from './email-changes.ts';
import { lockUser } from './lock-user.ts';
import { sendNotice } from './notices.ts';
import type { OwnPassword, SignedInCall } from './own-password.ts';
import { hashPassword } from './password.ts';
import { type PasswordOwner, refuseBadPassword } from './password-rules.ts';
import { readPreferences } from './preferences.ts';
import type { OpenedSession, Sessions } from './sessions.ts';
import { takenProblem } from './taken.ts';

type ProfileChange = z.output<typeof profileChangeSchema>;

/**
 * Changes a user's own profile. Contact details need the password, and a new email address must be confirmed. Returns
 * the address that is waiting for confirmation.
 */
export async function updateProfile(
  { db, mailer }: Context,
  { ownPassword, emails }: { readonly ownPassword: OwnPassword; readonly emails: EmailChanges },
  call: SignedInCall,
  { password, preferences, ...fields }: ProfileChange,
): Promise<string | null> {
  const { accountId, userId, userName } = call.session;
  const reachedElsewhere = await db.asAccount(accountId, async trx => {
    const { email, phone } = await ownRow(trx, userId);
    return (
      (fields.email !== undefined && fields.email !== email) || (fields.phone !== undefined && fields.phone !== phone)
    );
  });
  if (reachedElsewhere) await ownPassword.confirm(call, password ?? '', 'password');

  const { before, proposal } = await db
    .asAccount(accountId, async trx => {
      await lockUser(trx, userId);
      const row = await ownRow(trx, userId);
      const before = { ...nameAndReach(row), ...readPreferences(row.preferences) };
      const wanted = { ...before, ...definedOf(fields), ...definedOf(preferences ?? {}) };
      const target = { id: userId, name: userName };
      const newEmail = wanted.email === before.email ? null : wanted.email;
      const waits = newEmail !== null && emails.canSend;
      const after = waits ? { ...wanted, email: before.email } : wanted;
      const changes = changesBetween<object>(before, after);
      if (changes.length > 0) {
        const { displayName, email, phone, gender, ...chosen } = after;
        await trx
          .updateTable('app_user')
          .set({ display_name: displayName, email, phone, gender, preferences: JSON.stringify(chosen) })
          .where('id', '=', userId)
          .execute();
        await audit(trx, authorOf(call), { action: 'profile.changed', target, changes });
      }
      if (after.email !== before.email) await dropEmailChange(trx, userId);
      if (!waits) return { before, proposal: null };
      const proposal = await emails.propose(trx, userId, newEmail, call.request.ip);
      const asked = changesBetween({ email: before.email }, { email: newEmail });
      await audit(trx, authorOf(call), { action: 'email.change-asked', target, changes: asked });
      return { before, proposal };
    })
    .catch((error: unknown) => {
      throw takenProblem(error);
    });
  if (proposal) await emails.send(proposal);
  else if (fields.email !== undefined && fields.email !== before.email) sendNotice(mailer, before, 'email-changed');
  return proposal?.email ?? null;
}

/** Sets a new password for a user who knows the old one. The session continues with a new token. */
export async function changeOwnPassword(
  { db, mailer }: Context,
  sessions: Sessions,
  ownPassword: OwnPassword,
  call: SignedInCall,
  change: {
    readonly oldPassword: string;
    readonly newPassword: string;
    readonly endOtherSessions?: boolean | undefined;
  },
): Promise<OpenedSession> {
  const { accountId, userId, sessionId, userName } = call.session;
  await ownPassword.confirm(call, change.oldPassword, 'oldPassword');
  const owner = await db.asAccount(accountId, trx => passwordOwner(trx, userId));
  await refuseBadPassword('newPassword', change.newPassword, owner);
  const passwordHash = await hashPassword(change.newPassword);
  await db.asAccount(accountId, async trx => {
    await lockUser(trx, userId);
    await trx
      .updateTable('app_user')
      .set({ password_hash: passwordHash, must_change_password: false })
      .where('id', '=', userId)
      .execute();
    await dropEmailChange(trx, userId);
    const target = { id: userId, name: userName };
    await audit(trx, authorOf(call), { action: 'password.changed', target, changes: [secretChanged('password')] });
  });
  sendNotice(mailer, { displayName: owner.displayName ?? userName, email: owner.email ?? null }, 'password-changed');
  if (change.endOtherSessions) await sessions.endOfUser(userId, { sessionId });
  return sessions.rotate(sessionId);
}

export async function passwordOwner(trx: AccountTransaction, userId: string): Promise<PasswordOwner> {
  const row = await trx
    .selectFrom('app_user')
    .innerJoin('account', 'account.id', 'app_user.account_id')
    .select(['user_name', 'display_name', 'email', 'account.name'])
    .where('app_user.id', '=', userId)
    .executeTakeFirst();
  if (!row) throw new AppError('session-ended');
  return { userName: row.user_name, displayName: row.display_name, email: row.email, organisation: row.name };
}

async function ownRow(trx: AccountTransaction, userId: string) {
  const row = await trx
    .selectFrom('app_user')
    .select(['display_name', 'email', 'phone', 'gender', 'preferences'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!row) throw new AppError('session-ended');
  return row;
}

const nameAndReach = (row: Awaited<ReturnType<typeof ownRow>>) => ({
  displayName: row.display_name,
  email: row.email,
  phone: row.phone,
  gender: row.gender,
});

function definedOf<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
