import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { hasSecondFactor } from './load-session.ts';

/** By user name, else by e-mail address; user names have no @, so nobody can take another's. */
export function findUserByName(system: Kysely<Database>, name: string, lock?: 'for update') {
  return system
    .selectFrom('app_user')
    .select(['id', 'account_id', 'user_name', 'display_name', 'email', 'password_hash'])
    .select(sql<boolean>`active and coalesce(expires_at > now(), true)`.as('may_sign_in'))
    .select(hasSecondFactor.as('has_second_factor'))
    .where(({ eb, fn, val }) =>
      eb(fn('lower', [name.includes('@') ? 'email' : 'user_name']), '=', fn('lower', [val(name)])),
    )
    .$if(lock !== undefined, query => query.forUpdate())
    .executeTakeFirst();
}
