import type { FastifyRequest } from 'fastify';
import { fieldProblem } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Session } from '../../http/session.ts';
import { verifyPassword } from './password.ts';
import { createTryLimits } from './try-limits.ts';

/** Checks that it is the signed-in user, not someone at an unlocked screen (ASVS 5.0 7.5.1). */
export interface OwnPassword {
  /** Throws `wrong-password` for `field`, or `too-many-tries`. */
  confirm(call: SignedInCall, password: string, field: string): Promise<void>;
}

export interface SignedInCall {
  readonly session: Session;
  readonly request: FastifyRequest;
}

/** One for the whole server, so that `is_old` gives no extra tries. */
export function createOwnPassword({ counters, db }: Pick<Context, 'counters' | 'db'>): OwnPassword {
  const limits = createTryLimits(counters, 'own password');
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
