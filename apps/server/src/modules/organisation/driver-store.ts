import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';

export type DriverRow = Selectable<Database['driver']> & { readonly documents_expire_on: string | null };
export type DriverColumns = Omit<Insertable<Database['driver']>, 'id' | 'account_id' | 'created_at'>;

const rows = (trx: AccountTransaction) =>
  trx
    .selectFrom('driver')
    .selectAll('driver')
    .select(({ selectFrom }) =>
      selectFrom('document')
        .select(sql<string | null>`min(document.expires_on)`.as('first'))
        .whereRef('document.driver_id', '=', 'driver.id')
        .whereRef('document.account_id', '=', 'driver.account_id')
        .as('documents_expire_on'),
    );

export function listDriverRows(trx: AccountTransaction): Promise<DriverRow[]> {
  return rows(trx).orderBy(sql`lower(driver.name)`).orderBy('driver.id').execute();
}

export function findDriverRow(trx: AccountTransaction, id: number): Promise<DriverRow | undefined> {
  return rows(trx).where('driver.id', '=', id).executeTakeFirst();
}

export function findDriverRowOfUser(trx: AccountTransaction, userId: string): Promise<DriverRow | undefined> {
  return rows(trx).where('driver.user_id', '=', userId).executeTakeFirst();
}

export async function insertDriver(trx: AccountTransaction, accountId: number, driver: DriverColumns): Promise<number> {
  const { id } = await trx
    .insertInto('driver')
    .values({ ...driver, account_id: accountId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateDriverRow(
  trx: AccountTransaction,
  id: number,
  change: Updateable<Database['driver']>,
): Promise<void> {
  await trx.updateTable('driver').set(change).where('id', '=', id).execute();
}

export async function deleteDriverRow(trx: AccountTransaction, id: number): Promise<void> {
  await trx.deleteFrom('driver').where('id', '=', id).execute();
}
