import type { passkeyAnswerSchema, passkeySchema } from '@milepost/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { AppError, fieldProblem } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Session } from '../../http/session.ts';
import { type AuditRecord, audit, authorOf } from '../audit/audit.ts';
import { sendNotice } from './notices.ts';
import type { SignedInCall } from './own-password.ts';
import { finishCreation, passkeysOf, type Site } from './passkeys.ts';
import { passwordOwner } from './profile.ts';
import { codesForFirstFactor, codesLeft, renewCodes } from './recovery-codes.ts';
import { isRequiredOf } from './second-factor-policy.ts';
import { startTotp, takeTotpCode } from './totp.ts';
import { createTryLimits } from './try-limits.ts';

type Passkey = z.output<typeof passkeySchema>;

/** Second factors: authenticator app, passkeys and recovery codes. */
export function createSecondFactors(context: Context) {
  const { counters, db, feed, mailer } = context;
  const codeTries = createTryLimits(counters, 'second factor', { name: 20 });

  const note = (trx: AccountTransaction, call: SignedInCall, record: Pick<AuditRecord, 'action' | 'changes'>) =>
    audit(trx, authorOf(call), { target: { id: call.session.userId, name: call.session.userName }, ...record });
  const kind = (to: string, from: string | null = null) => [{ field: 'kind', from, to }];

  const tellRemoved = async ({ accountId, userId }: Session): Promise<void> => {
    const { displayName = '', email = null } = await db.asAccount(accountId, trx => passwordOwner(trx, userId));
    sendNotice(mailer, { displayName, email }, 'second-factor-removed');
  };

  return {
    read: (session: Session) =>
      db.asAccount(session.accountId, async trx => {
        const totp = await trx
          .selectFrom('totp')
          .select('confirmed_at')
          .where('user_id', '=', session.userId)
          .executeTakeFirst();
        return {
          totp: totp?.confirmed_at ? { createdAt: totp.confirmed_at.toISOString() } : null,
          passkeys: (await passkeysOf(trx, session.userId)).map(passkeyAnswer),
          recoveryCodesLeft: await codesLeft(trx, session.userId),
          required: await isRequiredOf(trx, session.userId),
        };
      }),

    startTotp: ({ session }: SignedInCall) =>
      db.asAccount(session.accountId, async trx => {
        const started = await startTotp(trx, session);
        // One app per user: they first remove the present one, with the password.
        if (!started) throw new AppError('already-there');
        return started;
      }),

    confirmTotp: async (call: SignedInCall, code: string) => {
      const { accountId, userId } = call.session;
      await codeTries.count(userId, call.request.ip);
      const recoveryCodes = await db.asAccount(accountId, async trx => {
        if (!(await takeTotpCode(trx, userId, code, 'confirm'))) {
          throw fieldProblem('code', 'wrong-code');
        }
        await note(trx, call, { action: 'second-factor.added', changes: kind('authenticator app') });
        return codesForFirstFactor(trx, accountId, userId);
      });
      await codeTries.forgive(userId, call.request.ip);
      // The session's duty may have changed: a required factor is now set up, or the last one was removed.
      await feed.settled();
      return { recoveryCodes };
    },

    removeTotp: async (call: SignedInCall) => {
      await db.asAccount(call.session.accountId, async trx => {
        const { numDeletedRows } = await trx
          .deleteFrom('totp')
          .where('user_id', '=', call.session.userId)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return;
        await note(trx, call, { action: 'second-factor.removed', changes: kind('authenticator app') });
        await dropCodesOfNothing(trx, call.session.userId);
      });
      await tellRemoved(call.session);
      // The session's duty may have changed: a required factor is now set up, or the last one was removed.
      await feed.settled();
    },

    renewRecoveryCodes: (call: SignedInCall) =>
      db.asAccount(call.session.accountId, async trx => {
        await note(trx, call, { action: 'recovery-codes.renewed' });
        return renewCodes(trx, call.session.accountId, call.session.userId);
      }),

    addPasskey: async (
      call: SignedInCall,
      site: Site,
      made: {
        readonly challengeId: string;
        readonly name: string;
        readonly response: z.output<typeof passkeyAnswerSchema>;
      },
    ) => {
      const { accountId, userId } = call.session;
      const credential = await finishCreation(db.system, site, call.session, made.challengeId, made.response);
      const answer = await db.asAccount(accountId, async trx => {
        const passkey = await trx
          .insertInto('passkey')
          .values({ account_id: accountId, user_id: userId, name: made.name, ...credential })
          .onConflict(conflict => conflict.column('credential_id').doNothing())
          .returning(['id', 'name', 'created_at', 'last_used_at'])
          .executeTakeFirst();
        if (!passkey) throw new AppError('passkey-refused');
        await note(trx, call, { action: 'second-factor.added', changes: kind(`passkey ${made.name}`) });
        return {
          passkey: passkeyAnswer(passkey),
          recoveryCodes: await codesForFirstFactor(trx, accountId, userId),
        };
      });
      // The session's duty may have changed: a required factor is now set up, or the last one was removed.
      await feed.settled();
      return answer;
    },

    renamePasskey: (call: SignedInCall, id: string, name: string) =>
      db.asAccount(call.session.accountId, async trx => {
        const row = await trx
          .updateTable('passkey')
          .set({ name })
          .where('id', '=', id)
          .where('user_id', '=', call.session.userId)
          .returning(['id', 'name', 'created_at', 'last_used_at'])
          .executeTakeFirst();
        if (!row) throw new AppError('not-found');
        await note(trx, call, {
          action: 'profile.changed',
          changes: [{ field: 'passkey', from: null, to: name }],
        });
        return passkeyAnswer(row);
      }),

    removePasskey: async (call: SignedInCall, id: string) => {
      await db.asAccount(call.session.accountId, async trx => {
        const row = await trx
          .deleteFrom('passkey')
          .where('id', '=', id)
          .where('user_id', '=', call.session.userId)
          .returning('name')
          .executeTakeFirst();
        if (!row) throw new AppError('not-found');
        await note(trx, call, { action: 'second-factor.removed', changes: kind(`passkey ${row.name}`) });
        await dropCodesOfNothing(trx, call.session.userId);
      });
      await tellRemoved(call.session);
      // The session's duty may have changed: a required factor is now set up, or the last one was removed.
      await feed.settled();
    },
  };
}

/** Deletes a user's recovery codes if they have no second factor left. */
async function dropCodesOfNothing(trx: AccountTransaction, userId: string): Promise<void> {
  await trx
    .deleteFrom('recovery_code')
    .where('user_id', '=', userId)
    .where(sql<boolean>`not exists (select from totp where user_id = ${userId} and confirmed_at is not null)`)
    .where(sql<boolean>`not exists (select from passkey where user_id = ${userId})`)
    .execute();
}

const passkeyAnswer = (row: { id: string; name: string; created_at: Date; last_used_at: Date | null }): Passkey => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});
