import { type bulkChangeSchema, plainTrackerId, type Vehicle } from '@milepost/contract';
import type { z } from 'zod';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { hashDeviceKey, newDeviceKey } from '../../fleet/device-key.ts';
import type { Directory } from '../../fleet/directory.ts';
import type { DrivingNow } from '../../fleet/driving.ts';
import type { LiveStates } from '../../fleet/live.ts';
import type { Viewer, Visibility } from '../../fleet/visibility.ts';
import { mapInTurns } from '../../workers/turns.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { changeMany } from './bulk.ts';
import { type NewVehicleFields, toColumns, toNewColumns, toVehicle } from './fields.ts';
import { refuseForeignIdentity } from './identities.ts';
import { deleteRow, findRow, insertRows, listRows, updateRow, type VehicleFields, type VehicleRow } from './store.ts';
import { takenProblem } from './taken.ts';
import { freeDriver } from './usual-driver.ts';
import { refuseOutside } from './within.ts';

/** Vehicles: a change is committed, then applied in memory, then answered. */
export interface Vehicles {
  list(viewer: Viewer): Promise<Vehicle[]>;
  read(viewer: Viewer, id: number): Promise<Vehicle>;
  create(by: By, fields: NewVehicleFields): Promise<Vehicle & { deviceKey: string }>;
  /** Creates all of them, or none if one is refused. */
  createMany(by: By, vehicles: readonly NewVehicleFields[]): Promise<void>;
  update(by: By, id: number, change: Partial<NewVehicleFields>): Promise<Vehicle>;
  updateMany(by: By, change: z.output<typeof bulkChangeSchema>): Promise<number>;
  remove(by: By, id: number): Promise<void>;
  renewKey(by: By, id: number): Promise<string>;
}

export interface VehicleParts {
  readonly directory: Directory;
  readonly live: LiveStates;
  readonly driving: DrivingNow;
  readonly visibility: Visibility;
}

export function createVehicles(context: Context, parts: VehicleParts): Vehicles {
  const { db, feed } = context;
  const { directory, live, driving, visibility } = parts;

  const answer = (row: VehicleRow): Vehicle => {
    const { id, account_id: accountId, usual_driver_id: usualDriverId } = row;
    return toVehicle(row, driving.of({ id, accountId, usualDriverId }), live.latestOf(id).live, Date.now());
  };

  /** Removes trackers from the unknown list that now have a vehicle, by any of their IDs. The list is short. */
  const forgetUnknown = async (rows: readonly Pick<VehicleFields, 'imei' | 'tracker_id'>[]) => {
    const known = new Set(
      rows.flatMap(({ imei, tracker_id: own }) => [imei, imei.slice(0, -1), own ?? imei].map(plainTrackerId)),
    );
    const listed = await db.system.selectFrom('unknown_tracker').select('imei').execute();
    const found = listed.map(({ imei }) => imei).filter(imei => known.has(plainTrackerId(imei)));
    if (found.length > 0) await db.system.deleteFrom('unknown_tracker').where('imei', 'in', found).execute();
  };

  return {
    list: async viewer => {
      const rows = await db.asAccount(viewer.accountId, listRows);
      const seen = visibility.seesAll(viewer)
        ? rows
        : rows.filter(row => visibility.sees(viewer, directory.findById(row.id)));
      return mapInTurns(seen, answer);
    },

    read: (viewer, id) => {
      visibility.vehicle(viewer, id);
      return db.asAccount(viewer.accountId, async trx => answer(found(await findRow(trx, id))));
    },

    create: async ({ session, author }, fields) => {
      const deviceKey = newDeviceKey();
      const vehicle = { ...toNewColumns(fields), keyHash: hashDeviceKey(deviceKey) };
      await refuseForeignIdentity(db, vehicle, null);
      const row = await db
        .asAccount(session.accountId, async trx => {
          await refuseOutside(trx, visibility, session, vehicle);
          await freeDriver(trx, vehicle.usual_driver_id, null);
          const created = found((await insertRows(trx, session.accountId, [vehicle]))[0]);
          await audit(trx, author, { action: 'vehicle.created', target: created, changes: changesBetween({}, fields) });
          return found(await findRow(trx, created.id));
        })
        .catch((error: unknown) => {
          throw takenProblem(error, fields.deviceName);
        });
      await forgetUnknown([row]);
      await feed.settled();
      return { ...answer(row), deviceKey };
    },

    createMany: async ({ session, author }, vehicles) => {
      // These keys are never shown: a tracker that uses MQTT gets its key by renewing it.
      const rows = vehicles.map(fields => ({ ...toNewColumns(fields), keyHash: hashDeviceKey(newDeviceKey()) }));
      await db
        .asAccount(session.accountId, async trx => {
          await refuseOutside(trx, visibility, session, ...rows);
          const inserted = await insertRows(trx, session.accountId, rows);
          await audit(trx, author, ...inserted.map(target => ({ action: 'vehicle.imported' as const, target })));
        })
        .catch((error: unknown) => {
          throw takenProblem(error, 'one of these');
        });
      await forgetUnknown(rows);
      await feed.settled();
    },

    update: async ({ session, author }, id, change) => {
      visibility.heldVehicle(session, id);
      const columns = toColumns(change);
      await refuseForeignIdentity(db, columns, id);
      const { before, after } = await db
        .asAccount(session.accountId, async trx => {
          const before = found(await findRow(trx, id));
          if (Object.keys(columns).length === 0) return { before, after: before };
          await refuseOutside(trx, visibility, session, newTo(before, columns));
          await freeDriver(trx, columns.usual_driver_id, id);
          found(await updateRow(trx, id, columns));
          const after = found(await findRow(trx, id));
          const changes = changesBetween(before, after);
          if (changes.length > 0) await audit(trx, author, { action: 'vehicle.changed', target: after, changes });
          return { before, after };
        })
        .catch((error: unknown) => {
          throw takenProblem(error, change.deviceName ?? '');
        });
      if (after.imei !== before.imei || after.tracker_id !== before.tracker_id) await forgetUnknown([after]);
      await feed.settled();
      return answer(after);
    },

    updateMany: async ({ session, author }, { ids, change }) => {
      const vehicleIds = [...new Set(ids.map(Number))];
      for (const id of vehicleIds) visibility.heldVehicle(session, id);
      await db.asAccount(session.accountId, async trx => {
        await refuseOutside(trx, visibility, session, toColumns(change));
        await changeMany(trx, author, vehicleIds, change);
      });
      await feed.settled();
      return vehicleIds.length;
    },

    remove: async ({ session, author }, id) => {
      visibility.heldVehicle(session, id);
      await db.asAccount(session.accountId, async trx => {
        const deleted = found(await deleteRow(trx, id));
        await audit(trx, author, { action: 'vehicle.deleted', target: deleted });
      });
      await feed.settled();
    },

    renewKey: async ({ session, author }, id) => {
      visibility.heldVehicle(session, id);
      const deviceKey = newDeviceKey();
      await db.asAccount(session.accountId, async trx => {
        const changed = found(await updateRow(trx, id, { device_key_hash: hashDeviceKey(deviceKey) }));
        await audit(trx, author, { action: 'vehicle.key-renewed', target: changed });
      });
      await feed.settled();
      return deviceKey;
    },
  };
}

/** Only the fields that change: a form also sends unchanged ones. */
function newTo(before: VehicleRow, { folder_id: folderId, usual_driver_id: driverId }: Partial<VehicleFields>) {
  return {
    ...(folderId !== undefined && { folder_id: folderId }),
    ...(driverId !== undefined && driverId !== before.usual_driver_id && { usual_driver_id: driverId }),
  };
}

/** Row-level security has hidden what belongs to another account: there is one answer for both. */
function found<T>(row: T | undefined): T {
  if (row === undefined) throw new AppError('not-found');
  return row;
}
