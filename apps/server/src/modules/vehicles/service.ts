import type { newVehicleSchema, TrackerProtocol, Vehicle } from '@milepost/contract';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { AppError } from '../../http/app-error.ts';
import type { LiveStates } from '../../ingest/live.ts';
import { hashDeviceKey, newDeviceKey } from './device-key.ts';
import type { Directory } from './directory.ts';
import { deleteRow, findRow, insertRows, listRows, updateRow, type VehicleFields, type VehicleRow } from './store.ts';
import { takenProblem } from './taken.ts';

export type NewVehicleFields = z.output<typeof newVehicleSchema>;

/** The vehicles of accounts: every change is committed, told to the rest of the server, and then answered. */
export interface Vehicles {
  list(accountId: number): Promise<Vehicle[]>;
  read(accountId: number, id: number): Promise<Vehicle>;
  create(accountId: number, fields: NewVehicleFields): Promise<Vehicle & { deviceKey: string }>;
  /** All of them, or none when one is refused. */
  createMany(accountId: number, vehicles: readonly NewVehicleFields[]): Promise<void>;
  update(accountId: number, id: number, change: Partial<NewVehicleFields>): Promise<Vehicle>;
  remove(accountId: number, id: number): Promise<void>;
  renewKey(accountId: number, id: number): Promise<string>;
}

export function createVehicles(context: Context, directory: Directory, live: LiveStates): Vehicles {
  const { db, signals } = context;

  const tell = async (accountId: number, changes: readonly { readonly id: number; readonly imei: string }[]) => {
    for (const { id, imei } of changes) signals.emit('vehicle-changed', { vehicleId: id, accountId, imei });
    await directory.settled();
  };

  const answer = (row: VehicleRow): Vehicle => ({
    id: String(row.id),
    imei: row.imei,
    deviceName: row.name,
    plate: row.plate,
    vin: row.vin,
    model: row.model,
    protocol: row.protocol as TrackerProtocol | null,
    createdAt: row.created_at.toISOString(),
    live: live.latestOf(row.id).live,
  });

  /** A tracker that has a vehicle now is unknown no longer. */
  const forgetUnknown = async (imeis: readonly string[]) => {
    if (imeis.length > 0) await db.system.deleteFrom('unknown_tracker').where('imei', 'in', imeis).execute();
  };

  return {
    list: accountId => db.asAccount(accountId, async trx => (await listRows(trx)).map(answer)),

    read: (accountId, id) => db.asAccount(accountId, async trx => answer(found(await findRow(trx, id)))),

    create: async (accountId, fields) => {
      const deviceKey = newDeviceKey();
      const vehicle = { ...toFields(fields), keyHash: hashDeviceKey(deviceKey) };
      const [row] = await db
        .asAccount(accountId, trx => insertRows(trx, accountId, [vehicle]))
        .catch((error: unknown) => {
          throw takenProblem(error, fields.deviceName);
        });
      const created = found(row);
      await forgetUnknown([created.imei]);
      await tell(accountId, [created]);
      return { ...answer(created), deviceKey };
    },

    createMany: async (accountId, vehicles) => {
      // Nobody reads these keys: a tracker that speaks MQTT gets one of its own by renewing it.
      const rows = vehicles.map(fields => ({ ...toFields(fields), keyHash: hashDeviceKey(newDeviceKey()) }));
      const created = await db
        .asAccount(accountId, trx => insertRows(trx, accountId, rows))
        .catch((error: unknown) => {
          throw takenProblem(error, 'one of these');
        });
      await forgetUnknown(created.map(row => row.imei));
      await tell(accountId, created);
    },

    update: async (accountId, id, change) => {
      const { before, after } = await db
        .asAccount(accountId, async trx => {
          const before = found(await findRow(trx, id));
          const fields = toChange(change);
          const after = Object.keys(fields).length === 0 ? before : found(await updateRow(trx, id, fields));
          return { before, after };
        })
        .catch((error: unknown) => {
          throw takenProblem(error, change.deviceName ?? '');
        });
      if (after.imei !== before.imei) await forgetUnknown([after.imei]);
      // The old tracker's connection has to go, too.
      await tell(accountId, after.imei === before.imei ? [after] : [before, after]);
      return answer(after);
    },

    remove: async (accountId, id) => {
      const row = found(await db.asAccount(accountId, trx => deleteRow(trx, id)));
      await tell(accountId, [row]);
    },

    renewKey: async (accountId, id) => {
      const deviceKey = newDeviceKey();
      const change = { device_key_hash: hashDeviceKey(deviceKey) };
      const row = found(await db.asAccount(accountId, trx => updateRow(trx, id, change)));
      await tell(accountId, [row]);
      return deviceKey;
    },
  };
}

/** Row-level security has hidden what belongs to another account: there is one answer for both. */
function found<T>(row: T | undefined): T {
  if (row === undefined) throw new AppError('not-found');
  return row;
}

function toFields({ imei, deviceName, plate = null, vin = null, model = null }: NewVehicleFields): VehicleFields {
  return { imei, name: deviceName, plate, vin, model };
}

/** Only what the request names. */
function toChange({ deviceName, ...rest }: Partial<NewVehicleFields>): Partial<VehicleFields> {
  const change = { ...rest, ...(deviceName !== undefined && { name: deviceName }) };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
