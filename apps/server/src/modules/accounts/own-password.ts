import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { fieldProblem } from '../../http/app-error.ts';
import type { Session } from '../../http/session.ts';
import { verifyPassword } from './password.ts';
import { createTryLimits } from './try-limits.ts';

/** Checks that it is the signed-in user, not someone at an unlocked screen (ASVS 5.0 7.5.1). */
export interface OwnPassword {
  /** Throws `wrong-password` beside `field`, or `too-many-tries`. */
  confirm(call: SignedInCall, password: string, field: string): Promise<void>;
}

export interface SignedInCall {
  readonly session: Session;
  readonly request: FastifyRequest;
}

/** One for the whole server: `is_old` must not be a second place to guess at. */
export function createOwnPassword({ db }: Pick<Context, 'db'>): OwnPassword {
  const limits = createTryLimits();
  return {
    confirm: async ({ session, request }, password, field) => {
      await limits.count(session.userId, request.ip);
      const user = await db.asAccount(session.accountId, trx =>
        trx.selectFrom('app_user').select('password_hash').where('id', '=', session.userId).executeTakeFirst(),
      );
      if (!(await verifyPassword(user?.password_hash ?? null, password))) {
        throw fieldProblem(field, 'wrong-password');
      }
      await limits.forgive(session.userId, request.ip);
    },
  };
}
