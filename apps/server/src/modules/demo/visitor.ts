import type { DemoView } from '@milepost/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { CITY_SCOPE, type DemoUser, makeUser, scopeColumns } from './users.ts';

/**
 * Whose session visitors of the demo get. An admin, so that all there is can be looked at; or someone who sees a part.
 * The session is read-only, so that nothing can be changed, and anyone who is signed in to a demo on a loopback address
 * can't lock visitors out.
 */
const VISITORS: Readonly<Record<DemoView, DemoUser>> = {
  everything: { userName: 'visitor', displayName: 'Demo visitor', role: 'admin' },
  dispatcher: { userName: 'visitor-city', displayName: 'City dispatcher', role: 'dispatcher', scope: CITY_SCOPE },
};

export interface Visitor {
  readonly accountId: number;
  readonly userId: string;
}

/** Null where there is no demo account. */
export async function visitorOf(db: Kysely<Database>, view: DemoView): Promise<Visitor | null> {
  const visitor = VISITORS[view];
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
      role: visitor.role,
      active: true,
      expires_at: null,
      custom_role_id: null,
      ...(await scopeColumns(db, account.id, visitor.scope)),
      password_hash: null,
    })
    .where('account_id', '=', account.id)
    .where('user_name', '=', visitor.userName)
    .returning('id')
    .executeTakeFirst();
  return { accountId: account.id, userId: existing?.id ?? (await makeUser(db, account.id, visitor)) };
}
