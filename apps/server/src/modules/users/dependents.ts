import type { dependentsSchema } from '@milepost/contract';
import type { z } from 'zod';
import type { AccountTransaction } from '../../db/database.ts';
import type { UserRow } from './user-rows.ts';

/** What is deleted with a user, and what remains without them. */
export async function dependentsOf(trx: AccountTransaction, user: UserRow): Promise<z.output<typeof dependentsSchema>> {
  const drivers = await trx
    .selectFrom('driver')
    .select(['id', 'name'])
    .where('user_id', '=', user.id)
    .orderBy('name')
    .execute();
  const sessions = await trx.selectFrom('session').select('kind').where('user_id', '=', user.id).execute();
  const { made } = await trx
    .selectFrom('app_user')
    .select(({ fn }) => fn.countAll<string>().as('made'))
    .where('created_by', '=', user.user_name)
    .executeTakeFirstOrThrow();
  return {
    sessions: sessions.filter(({ kind }) => kind === 'browser').length,
    apiTokens: sessions.filter(({ kind }) => kind === 'api-token').length,
    drivers: drivers.map(({ id, name }) => ({ id: String(id), name })),
    usersMade: Number(made),
  };
}
