import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { RECOVERY_MINUTES, RECOVERY_TRIES, type VerifyData } from '@milepost/contract';
import { sql } from 'kysely';
import { AppError, fieldProblem } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { addressKey } from '../../limits/rate-limit.ts';
import { audit } from '../audit/audit.ts';
import { dropEmailChange } from './email-changes.ts';
import { findUserByName } from './find-user.ts';
import { lockUser } from './lock-user.ts';
import { sendNotice } from './notices.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { refuseBadPassword } from './password-rules.ts';
import { passwordOwner } from './profile.ts';
import { mayLogSecrets } from './secrets-in-log.ts';
import type { Sessions } from './sessions.ts';
import { createTryLimits } from './try-limits.ts';

/**
 * A forgotten password, in three steps [R4.15]: request a code, enter it, set a new password with the proof returned.
 * For an unknown name, answers and work are the same, but no code is sent. The database deletes codes and proofs when
 * the password or the address they were requested for changes.
 */
export interface Recovery {
  ask(name: string, address: string): Promise<VerifyData>;
  verify(request: { readonly id: string; readonly token: string }, code: string, address: string): Promise<Proof>;
  reset(id: string, proof: string, password: string, address: string): Promise<void>;
}

export interface Proof {
  readonly proof: string;
  readonly expiresAt: Date;
}

const VALID_MS = RECOVERY_MINUTES * 60_000;
/** How many codes can be requested: each is an email to a user. */
const ASKS = { pair: 3, address: 20, name: 6 };

export function createRecovery(context: Context, sessions: Sessions): Recovery {
  const { counters, db, log, mailer } = context;
  const asks = createTryLimits(counters, 'recovery', ASKS);
  const tries = createTryLimits(counters, 'recovery code');

  const deliver = (user: Asker, code: string): void => {
    if (mayLogSecrets(context))
      log.warn({ userName: user.user_name, code }, 'SMTP_URL is not set, so here is the password reset code');
    else if (!mailer.works)
      log.warn(
        'A password reset was requested, but SMTP_URL is not set. To reset an owner’s password: npm run owner -- NAME',
      );
    else if (user.email)
      mailer.send({ to: user.email, subject: 'Your password reset code', text: mailText(user, code) });
  };

  return {
    ask: async (name, address) => {
      const asker = await findUserByName(db.system, name);
      // Counted together by name and by email address. Other people's requests can't keep users from asking where they signed in before.
      const isKnown = await hasSignedInFrom(db.system, asker?.id ?? NOBODY, address);
      await asks.count(asker?.id ?? name, address, isKnown);
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const row = { token: randomUUID(), code_hash: await hashPassword(code), expires_at: inTenMinutes() };
      const { id, user } = await db.system.transaction().execute(async trx => {
        const user = await findUserByName(trx, name, 'for update');
        // Nobody can sign in to a public demo.
        const known = user?.may_sign_in && context.demo !== 'public' ? user : null;
        // Codes sent before stay valid, so a request in a user's name can't invalidate theirs.
        await trx.deleteFrom('password_recovery').where('expires_at', '<', new Date()).execute();
        const { id } = await trx
          .insertInto('password_recovery')
          .values({ ...row, user_id: known?.id ?? null })
          .returning('id')
          .executeTakeFirstOrThrow();
        return { id, user: known };
      });
      if (user) {
        deliver(user, code);
        const author = { accountId: user.account_id, userId: null, userName: null, via: 'sign-in' as const, address };
        const target = { id: user.id, name: user.user_name };
        // Not awaited: the time it takes would reveal who exists.
        audit(db.system, author, { action: 'password.recovery-asked', target }).catch((error: unknown) =>
          log.error({ err: error }, 'Could not write an audit entry'),
        );
      }
      return { id, token: row.token, expiresAt: row.expires_at.toISOString() };
    },

    verify: async ({ id, token }, code, address) => {
      await tries.count(id, address);
      // Counted in the database before the code is checked, so that parallel tries gain nothing.
      const row = await db.system
        .updateTable('password_recovery')
        .set({ tries: sql`tries + 1` })
        .where('id', '=', id)
        .where('token', '=', token)
        .where('tries', '<', RECOVERY_TRIES)
        .where('proof_hash', 'is', null)
        .where('expires_at', '>', new Date())
        .returning(['code_hash', 'user_id'])
        .executeTakeFirst();
      const isRight = await verifyPassword(row?.code_hash ?? null, code);
      if (!isRight || !row || row.user_id === null) throw wrongCode('code');
      const proof = randomBytes(32).toString('base64url');
      const expiresAt = inTenMinutes();
      const { numUpdatedRows } = await db.system
        .updateTable('password_recovery')
        .set({ proof_hash: sha256(proof), expires_at: expiresAt })
        .where('id', '=', id)
        .where('proof_hash', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw wrongCode('code');
      await tries.forgive(id, address);
      return { proof, expiresAt };
    },

    reset: async (id, proof, password, address) => {
      await tries.count(id, address);
      const fits = db.system
        .selectFrom('password_recovery')
        .innerJoin('app_user', 'app_user.id', 'password_recovery.user_id')
        .select(['app_user.id', 'app_user.account_id', 'user_name', 'display_name', 'email'])
        .where('password_recovery.id', '=', id)
        .where('password_recovery.proof_hash', '=', sha256(proof))
        .where('password_recovery.expires_at', '>', new Date());
      const user = await fits.executeTakeFirst();
      if (!user) throw wrongCode('');
      // With the proof, a user can try any number of passwords until one is accepted.
      await tries.forgive(id, address);
      await refuseBadPassword('password', password, await passwordOwner(db.system, user.id));
      const passwordHash = await hashPassword(password);
      await db.system.transaction().execute(async trx => {
        await lockUser(trx, user.id);
        // Deleting the row first makes sure that the proof is used only once.
        const { numDeletedRows } = await trx.deleteFrom('password_recovery').where('id', '=', id).executeTakeFirst();
        if (numDeletedRows === 0n) throw wrongCode('');
        await trx
          .updateTable('app_user')
          .set({ password_hash: passwordHash, must_change_password: false })
          .where('id', '=', user.id)
          .execute();
        await trx.deleteFrom('invitation').where('user_id', '=', user.id).execute();
        await dropEmailChange(trx, user.id);
        const author = {
          accountId: user.account_id,
          userId: user.id,
          userName: user.user_name,
          via: 'sign-in' as const,
          address,
        };
        await audit(trx, author, { action: 'password.recovered', target: { id: user.id, name: user.user_name } });
      });
      sendNotice(mailer, { displayName: user.display_name, email: user.email }, 'password-changed');
      // Ends all sessions and API tokens opened with the old password.
      await sessions.endOfUser(user.id);
    },
  };
}

type Asker = NonNullable<Awaited<ReturnType<typeof findUserByName>>>;

const mailText = ({ display_name: name }: Asker, code: string): string =>
  `${name},\n\nyour password reset code is ${code.slice(0, 3)} ${code.slice(3)}. It is valid for ${RECOVERY_MINUTES} minutes.\n\nIf you did not request it, ignore this message: your password stays the same.\n`;

const NOBODY = '00000000-0000-0000-0000-000000000000';

async function hasSignedInFrom(system: Context['db']['system'], userId: string, address: string): Promise<boolean> {
  const rows = await system
    .selectFrom('audit_entry')
    .select('address')
    .distinct()
    .where('user_id', '=', userId)
    .where('action', '=', 'session.opened')
    .execute();
  return rows.some(row => row.address !== null && addressKey(row.address) === addressKey(address));
}

const wrongCode = (field: string): AppError =>
  field === '' ? new AppError('recovery-code-wrong') : fieldProblem(field, 'recovery-code-wrong');

const inTenMinutes = (): Date => new Date(Date.now() + VALID_MS);
const sha256 = (secret: string): Buffer => createHash('sha256').update(secret).digest();
