import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { hasSecondFactor } from './load-session.ts';

/** Whether the user of the current row signs in with the account's identity provider only. */
export const mustSignOn = sql<boolean>`(app_user.role <> 'owner' and exists (
  select from sign_on where sign_on.account_id = app_user.account_id and is_on and passwords = 'owners'))`;

/** By user name, else by e-mail address; user names have no @, so nobody can take another's. */
export function findUserByName(system: Kysely<Database>, name: string, lock?: 'for update') {
  return system
    .selectFrom('app_user')
    .select(['id', 'account_id', 'user_name', 'display_name', 'email', 'password_hash'])
    .select(sql<boolean>`active and coalesce(expires_at > now(), true)`.as('may_sign_in'))
    .select(hasSecondFactor.as('has_second_factor'))
    .select(mustSignOn.as('must_sign_on'))
    .where(({ eb, fn, val }) =>
      eb(fn('lower', [name.includes('@') ? 'email' : 'user_name']), '=', fn('lower', [val(name)])),
    )
    .$if(lock !== undefined, query => query.forUpdate())
    .executeTakeFirst();
}
