import { type Selectable, sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';

export type VehicleRow = Omit<Selectable<Database['vehicle']>, 'device_key_hash'>;

const COLUMNS = ['id', 'account_id', 'imei', 'name', 'plate', 'vin', 'model', 'protocol', 'created_at'] as const;

/** What people may set. */
export interface VehicleFields {
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
  readonly vin: string | null;
  readonly model: string | null;
}

export function listRows(trx: AccountTransaction): Promise<VehicleRow[]> {
  return trx.selectFrom('vehicle').select(COLUMNS).orderBy(sql`lower(name)`).orderBy('id').execute();
}

export function findRow(trx: AccountTransaction, id: number): Promise<VehicleRow | undefined> {
  return trx.selectFrom('vehicle').select(COLUMNS).where('id', '=', id).executeTakeFirst();
}

/** PostgreSQL takes 65,535 parameters a statement. */
const ROWS_A_STATEMENT = 5000;

export async function insertRows(
  trx: AccountTransaction,
  accountId: number,
  vehicles: readonly (VehicleFields & { readonly keyHash: Buffer })[],
): Promise<VehicleRow[]> {
  const inserted: VehicleRow[] = [];
  for (let i = 0; i < vehicles.length; i += ROWS_A_STATEMENT) {
    const rows = vehicles
      .slice(i, i + ROWS_A_STATEMENT)
      .map(({ keyHash, ...fields }) => ({ ...fields, account_id: accountId, device_key_hash: keyHash }));
    inserted.push(...(await trx.insertInto('vehicle').values(rows).returning(COLUMNS).execute()));
  }
  return inserted;
}

export function updateRow(
  trx: AccountTransaction,
  id: number,
  change: Partial<VehicleFields> & { readonly device_key_hash?: Buffer },
): Promise<VehicleRow | undefined> {
  return trx.updateTable('vehicle').set(change).where('id', '=', id).returning(COLUMNS).executeTakeFirst();
}

/** The vehicle, its state and its positions, in this transaction: there is no half-deleted vehicle. */
export async function deleteRow(trx: AccountTransaction, id: number): Promise<VehicleRow | undefined> {
  const row = await trx.deleteFrom('vehicle').where('id', '=', id).returning(COLUMNS).executeTakeFirst();
  if (row) await trx.deleteFrom('position').where('vehicle_id', '=', id).execute();
  return row;
}
