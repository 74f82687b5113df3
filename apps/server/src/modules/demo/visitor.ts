import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { createUser } from '../accounts/accounts.ts';

/**
 * Whose session visitors of the demo get. An admin, so that all there is can be looked at; the session is read-only, so
 * that nothing can be changed, and whoever is signed in to a demo on a loopback address can't lock visitors out.
 */
const VISITOR = { userName: 'visitor', displayName: 'Demo visitor', role: 'admin' } as const;

export interface Visitor {
  readonly accountId: number;
  readonly userId: string;
}

/** Null where there is no demo account. */
export async function visitorOf(db: Kysely<Database>): Promise<Visitor | null> {
  const account = await db
    .selectFrom('account')
    .select('id')
    .where('demo', '=', true)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!account) return null;
  const existing = await db
    .updateTable('app_user')
    .set({
      role: VISITOR.role,
      active: true,
      expires_at: null,
      custom_role_id: null,
      scope_folders: null,
      scope_departments: null,
      password_hash: null,
    })
    .where('account_id', '=', account.id)
    .where('user_name', '=', VISITOR.userName)
    .returning('id')
    .executeTakeFirst();
  const userId =
    existing?.id ?? (await createUser({ system: db }, { ...VISITOR, accountId: account.id, password: null }));
  return { accountId: account.id, userId };
}
