import type { Credentials } from '@milepost/contract';
import type { FastifyRequest } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { AppError, fieldProblem } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { type Author, audit } from '../audit/audit.ts';
import { findUserByName, mustSignOn } from './find-user.ts';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';
import { useCode } from './recovery-codes.ts';
import type { NewSession, OpenedSession, Sessions } from './sessions.ts';
import { takeTotpCode } from './totp.ts';
import { createTryLimits } from './try-limits.ts';

export interface Caller {
  readonly address: string;
  readonly userAgent: string | undefined;
}

export const callerOf = (request: FastifyRequest): Caller => ({
  address: request.ip,
  userAgent: request.headers['user-agent'],
});

export interface SignIn {
  /**
   * Opens a session for a correct password and second factor. All refused passwords get the same answer in the same
   * time.
   */
  withPassword(credentials: Credentials, caller: Caller): Promise<OpenedSession>;
  /**
   * Opens a session for an authenticated user. `signedOn`: by the provider of single sign-on, which may be the only way
   * in.
   */
  forUser(
    userId: string,
    how: string,
    caller: Caller,
    more: Pick<NewSession, 'keepSignedIn' | 'signedOn'>,
  ): Promise<OpenedSession>;
}

/** A code has only six digits, so it gets fewer tries than a password, counted over all addresses. */
const CODE_TRIES = { name: 20 };
const SIX_DIGITS = /^\d{6}$/;

export function createSignIn(
  { counters, db, log }: Pick<Context, 'counters' | 'db' | 'log'>,
  sessions: Sessions,
): SignIn {
  const { system } = db;
  const passwords = createTryLimits(counters, 'password');
  const codes = createTryLimits(counters, 'code', CODE_TRIES);

  const note = (user: Named, caller: Caller, action: 'session.opened' | 'session.refused', how: string) =>
    audit(system, authorOf(user, caller), {
      action: action,
      target: { id: user.id, name: user.user_name },
      changes: [{ field: 'with', from: null, to: how }],
    });

  /** Not awaited: the time it takes would reveal who exists. */
  const noteRefusal = (user: Named, caller: Caller, how: string): void => {
    note(user, caller, 'session.refused', how).catch((error: unknown) =>
      log.error({ err: error }, 'Could not write an audit entry'),
    );
  };

  const takeCode = async (user: Named, code: string, caller: Caller): Promise<string> => {
    await codes.count(user.id, caller.address);
    const digits = code.replace(/\s/g, '');
    const isTotp = SIX_DIGITS.test(digits);
    const isRight = isTotp
      ? await takeTotpCode(system, user.id, digits, 'sign-in')
      : await useCode(system, user.id, code);
    if (!isRight) {
      noteRefusal(user, caller, isTotp ? 'wrong code' : 'wrong recovery code');
      throw fieldProblem('code', 'wrong-code');
    }
    await codes.forgive(user.id, caller.address);
    return isTotp ? 'password and code' : 'password and recovery code';
  };

  const open = async (
    user: Named,
    how: string,
    caller: Caller,
    more: Pick<NewSession, 'keepSignedIn' | 'signedOn'>,
  ) => {
    const session = await sessions.open({ accountId: user.account_id, userId: user.id, ...more, ...caller });
    await note(user, caller, 'session.opened', how);
    return session;
  };

  return {
    withPassword: async ({ userName, password, code, keepSignedIn = false }, caller) => {
      const user = await findUserByName(system, userName);
      // Tries by user name and by email address are counted together.
      const who = user?.id ?? userName;
      await passwords.count(who, caller.address);
      const isRight = await verifyPassword(user?.password_hash ?? null, password);
      if (!isRight || !user?.password_hash || !user.may_sign_in) {
        if (user) noteRefusal(user, caller, isRight ? 'no access any more' : 'wrong password');
        throw new AppError('wrong-credentials');
      }
      await passwords.forgive(who, caller.address);
      if (user.must_sign_on) {
        noteRefusal(user, caller, 'password, where single sign-on is required');
        throw new AppError('sign-on-only');
      }
      if (isOutdated(user.password_hash)) await hashAnew(system, user.id, user.password_hash, password);
      if (!user.has_second_factor) return open(user, 'password', caller, { keepSignedIn });
      if (!code) throw new AppError('second-factor-needed', { methods: (await methodsOf(system, user.id)).join() });
      return open(user, await takeCode(user, code, caller), caller, { keepSignedIn });
    },

    forUser: async (userId, how, caller, more) => {
      const user = await system
        .selectFrom('app_user')
        .select(['id', 'account_id', 'user_name'])
        .select(mustSignOn.as('must_sign_on'))
        .where('id', '=', userId)
        .where('active', '=', true)
        .where(sql<boolean>`coalesce(expires_at > now(), true)`)
        .executeTakeFirst();
      if (!user) throw new AppError('wrong-credentials');
      if (user.must_sign_on && !more.signedOn) throw new AppError('sign-on-only');
      return open(user, how, caller, more);
    },
  };
}

interface Named {
  readonly id: string;
  readonly account_id: number;
  readonly user_name: string;
}

const authorOf = (user: Named, { address }: Caller): Author => ({
  accountId: user.account_id,
  userId: user.id,
  userName: user.user_name,
  via: 'sign-in',
  address,
});

/** The user's second factors: `code` for an authenticator app, `passkey`. Recovery codes work with both. */
async function methodsOf(system: Kysely<Database>, userId: string): Promise<string[]> {
  const has = await system
    .selectFrom('app_user')
    .select(sql<boolean>`exists (select from totp where user_id = ${userId} and confirmed_at is not null)`.as('code'))
    .select(sql<boolean>`exists (select from passkey where user_id = ${userId})`.as('passkey'))
    .where('id', '=', userId)
    .executeTakeFirst();
  return (['code', 'passkey'] as const).filter(method => has?.[method]);
}

async function hashAnew(system: Kysely<Database>, id: string, before: string, password: string): Promise<void> {
  await system
    .updateTable('app_user')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', id)
    .where('password_hash', '=', before)
    .execute();
}
