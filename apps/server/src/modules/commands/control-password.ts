import { AppError, fieldProblem } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { OwnPassword, SignedInCall } from '../accounts/own-password.ts';
import { hashPassword, verifyPassword } from '../accounts/password.ts';
import { audit, authorOf, secretChanged } from '../audit/audit.ts';
import { DEMO_CONTROL_PASSWORD } from '../demo/sign-in.ts';
import { stillHolds } from './senders.ts';

/** Who set the account's control password, and when. */
export interface ControlPasswordInfo {
  readonly set: boolean;
  readonly setAt: string | null;
  readonly setBy: string | null;
  /** The password itself, shown in a demo as long as it is the demo's original one. */
  readonly demoPassword: string | null;
}

export interface ControlPasswords {
  read(accountId: number): Promise<ControlPasswordInfo>;
  /** The user confirms with their own password. Unused grants of the old one end. */
  set(call: SignedInCall, own: string, controlPassword: string): Promise<void>;
  /** Null if none is set, or if the user who set it lost the right to: it expires with that right. */
  hash(accountId: number): Promise<string | null>;
}

export function createControlPasswords(
  { db, demo }: Pick<Context, 'db' | 'demo'>,
  ownPassword: OwnPassword,
): ControlPasswords {
  const current = async (accountId: number) => {
    const row = await db.asAccount(accountId, findRow);
    if (!row) return null;
    return (await stillHolds(db.system, row.set_by, accountId, 'commands.password')) ? row : null;
  };

  /** Compared once, because hashing is expensive. */
  const known = new Map<string, boolean>();
  const demoPassword = async (row: { hash: string; demo: boolean } | null): Promise<string | null> => {
    if (demo !== 'on' || !row?.demo) return null;
    const isKnown = known.get(row.hash) ?? (await verifyPassword(row.hash, DEMO_CONTROL_PASSWORD));
    known.clear();
    known.set(row.hash, isKnown);
    return isKnown ? DEMO_CONTROL_PASSWORD : null;
  };

  return {
    read: async accountId => {
      const row = await current(accountId);
      return {
        set: row !== null,
        setAt: row?.set_at.toISOString() ?? null,
        setBy: row?.by ?? null,
        demoPassword: await demoPassword(row),
      };
    },
    hash: async accountId => (await current(accountId))?.hash ?? null,
    set: async (call, own, controlPassword) => {
      const { session } = call;
      if (session.kind === 'api-token') throw new AppError('sign-in-needed');
      await ownPassword.confirm(call, own, 'password');
      if (await isOwn(db, session.accountId, session.userId, controlPassword)) {
        throw fieldProblem('controlPassword', 'control-password-is-own');
      }
      const row = { hash: await hashPassword(controlPassword), set_at: new Date(), set_by: session.userId };
      await db.asAccount(session.accountId, async trx => {
        await trx
          .insertInto('control_password')
          .values({ ...row, account_id: session.accountId })
          .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
          .execute();
        await trx.deleteFrom('control_grant').execute();
        const target = { id: session.accountId, name: '' };
        const changes = [secretChanged('controlPassword')];
        await audit(trx, authorOf(call), { action: 'control-password.changed', target, changes });
      });
    },
  };
}

const findRow = (trx: AccountTransaction) =>
  trx
    .selectFrom('control_password')
    .innerJoin('app_user', 'app_user.id', 'control_password.set_by')
    .innerJoin('account', 'account.id', 'control_password.account_id')
    .select(['hash', 'set_at', 'set_by', 'app_user.display_name as by', 'account.demo'])
    .executeTakeFirst();

async function isOwn(db: Context['db'], accountId: number, userId: string, password: string): Promise<boolean> {
  const user = await db.asAccount(accountId, trx =>
    trx.selectFrom('app_user').select('password_hash').where('id', '=', userId).executeTakeFirst(),
  );
  return verifyPassword(user?.password_hash ?? null, password);
}
