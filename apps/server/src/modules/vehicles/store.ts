import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import { deletePositions } from '../../tracks/write.ts';

/** A vehicle with its data from other tables. */
export type VehicleRow = Omit<Selectable<Database['vehicle']>, 'device_key_hash'> & {
  readonly documents_expire_on: string | null;
  readonly subscribed_at: Date | null;
};
export type VehicleKey = Pick<VehicleRow, 'id' | 'imei' | 'name'>;

/** The fields that users can set. */
export type VehicleFields = Omit<
  Insertable<Database['vehicle']>,
  'id' | 'account_id' | 'device_key_hash' | 'created_at'
>;

const COLUMNS = [
  ...(['vehicle.id', 'vehicle.account_id', 'vehicle.imei', 'vehicle.name', 'vehicle.plate', 'vehicle.vin'] as const),
  ...(['vehicle.type', 'vehicle.make', 'vehicle.model', 'vehicle.year', 'vehicle.fuel_type'] as const),
  ...([
    'vehicle.tank_litres',
    'vehicle.speed_limit_kmh',
    'vehicle.odometer_offset',
    'vehicle.tags',
    'vehicle.notes',
  ] as const),
  ...([
    'vehicle.tracker_model',
    'vehicle.sim_number',
    'vehicle.tracker_id',
    'vehicle.folder_id',
    'vehicle.usual_driver_id',
  ] as const),
  ...(['vehicle.protocol', 'vehicle.tracker_addresses', 'vehicle.created_at'] as const),
];
const KEY = ['id', 'imei', 'name'] as const;

const rows = (trx: AccountTransaction) =>
  trx
    .selectFrom('vehicle')
    .leftJoin('subscription', join =>
      join.onRef('subscription.account_id', '=', 'vehicle.account_id').onRef('subscription.imei', '=', 'vehicle.imei'),
    )
    .select(COLUMNS)
    .select('subscription.created_at as subscribed_at')
    .select(({ selectFrom }) =>
      selectFrom('document')
        .select(sql<string | null>`min(document.expires_on)`.as('first'))
        .whereRef('document.vehicle_id', '=', 'vehicle.id')
        .whereRef('document.account_id', '=', 'vehicle.account_id')
        .as('documents_expire_on'),
    );

export function listRows(trx: AccountTransaction): Promise<VehicleRow[]> {
  return rows(trx).orderBy(sql`lower(vehicle.name)`).orderBy('vehicle.id').execute();
}

export function findRow(trx: AccountTransaction, id: number): Promise<VehicleRow | undefined> {
  return rows(trx).where('vehicle.id', '=', id).executeTakeFirst();
}

/** PostgreSQL allows 65,535 parameters in a statement. */
const ROWS_A_STATEMENT = 2000;

export async function insertRows(
  trx: AccountTransaction,
  accountId: number,
  vehicles: readonly (VehicleFields & { readonly keyHash: Buffer })[],
): Promise<VehicleKey[]> {
  const inserted: VehicleKey[] = [];
  for (let i = 0; i < vehicles.length; i += ROWS_A_STATEMENT) {
    const values = vehicles
      .slice(i, i + ROWS_A_STATEMENT)
      .map(({ keyHash, ...fields }) => ({ ...fields, account_id: accountId, device_key_hash: keyHash }));
    inserted.push(...(await trx.insertInto('vehicle').values(values).returning(KEY).execute()));
  }
  return inserted;
}

export async function updateRow(
  trx: AccountTransaction,
  id: number,
  change: Updateable<Database['vehicle']>,
): Promise<VehicleKey | undefined> {
  return trx.updateTable('vehicle').set(change).where('id', '=', id).returning(KEY).executeTakeFirst();
}

/** Deletes the vehicle, its state and its positions in this transaction, so that none is left half deleted. */
export async function deleteRow(trx: AccountTransaction, id: number): Promise<VehicleKey | undefined> {
  const row = await trx.deleteFrom('vehicle').where('id', '=', id).returning(KEY).executeTakeFirst();
  if (row) await deletePositions(trx, id);
  return row;
}
