import type { Driver, newDriverSchema } from '@milepost/contract';
import { DatabaseError } from 'pg';
import type { z } from 'zod';
import { AppError, fieldProblem, invalidField } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { ScopedUser, Viewer } from '../../fleet/visibility.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { freeDriver } from '../vehicles/usual-driver.ts';
import {
  type DriverColumns,
  type DriverRow,
  deleteDriverRow,
  findDriverRow,
  findDriverRowOfUser,
  insertDriver,
  listDriverRows,
  updateDriverRow,
} from './driver-store.ts';

type Fields = z.output<typeof newDriverSchema>;
type DriverChange = Partial<Fields> & { readonly archived?: boolean | undefined };

export interface Drivers {
  list(viewer: Viewer): Promise<Driver[]>;
  read(viewer: Viewer, id: number): Promise<Driver>;
  /** Throws unless the viewer may change all of these. */
  refuseUnheld(viewer: Viewer, ids: readonly number[]): Promise<void>;
  /** The viewer's own driver record; null if they are not a driver. */
  mine(viewer: Viewer): Promise<Driver | null>;
  create(by: By, fields: Fields): Promise<Driver>;
  update(by: By, id: number, change: DriverChange): Promise<Driver>;
  remove(by: By, id: number): Promise<void>;
  /** Makes a driver the usual driver of a vehicle; null for no vehicle. */
  assign(by: By, id: number, vehicleId: number | null): Promise<Driver>;
}

export function createDrivers({ db, feed }: Context, organisation: Organisation): Drivers {
  const { directory, driving, roster, visibility } = organisation;

  const answer = (row: DriverRow): Driver => {
    const driver = roster.driver(row.account_id, row.id);
    const place = driver && driving.vehicleOf(row.account_id, driver);
    const vehicle = place && directory.findById(place.id);
    return toDriver(
      row,
      place &&
        vehicle && { id: String(vehicle.id), imei: vehicle.imei, deviceName: vehicle.name, source: place.source },
    );
  };
  const sees = (viewer: Viewer, row: DriverRow): boolean =>
    visibility.seesDriver(viewer, { id: row.id, departmentId: row.department_id, userId: row.user_id });
  const found = (viewer: Viewer, row: DriverRow | undefined): DriverRow => {
    if (!row || !sees(viewer, row)) throw new AppError('not-found');
    return row;
  };
  const held = (viewer: Viewer, row: DriverRow | undefined): DriverRow => {
    const driver = found(viewer, row);
    if (!visibility.holdsDriver(viewer, { departmentId: driver.department_id })) throw new AppError('out-of-scope');
    return driver;
  };

  /**
   * Refuses departments and users of other accounts, users out of scope, and moves to where the viewer would no
   * longer see the driver.
   */
  const refuseOutside = async (trx: AccountTransaction, viewer: Viewer, columns: Partial<DriverColumns>) => {
    const { department_id: departmentId, user_id: userId } = columns;
    if (departmentId !== undefined && !visibility.holds('department', viewer, departmentId)) {
      throw invalidField('departmentId', 'department-out-of-scope');
    }
    if (
      departmentId &&
      !(await trx.selectFrom('department').select('id').where('id', '=', departmentId).executeTakeFirst())
    ) {
      throw new AppError('not-found');
    }
    if (userId && !visibility.holdsUser(viewer, await scopedUser(trx, userId))) throw new AppError('not-found');
  };

  return {
    list: viewer =>
      db.asAccount(viewer.accountId, async trx =>
        (await listDriverRows(trx)).filter(row => sees(viewer, row)).map(answer),
      ),

    refuseUnheld: (viewer, ids) =>
      db.asAccount(viewer.accountId, async trx => {
        const rows = new Map((await listDriverRows(trx)).map(row => [row.id, row]));
        for (const id of ids) held(viewer, rows.get(id));
      }),

    read: (viewer, id) =>
      db.asAccount(viewer.accountId, async trx => answer(found(viewer, await findDriverRow(trx, id)))),

    mine: viewer =>
      db.asAccount(viewer.accountId, async trx => {
        const row = await findDriverRowOfUser(trx, viewer.userId);
        return row ? answer(row) : null;
      }),

    create: async ({ session, author }, fields) => {
      const columns = { ...NOTHING, ...toColumns(fields), name: fields.name };
      const row = await inTransaction(db, session.accountId, async trx => {
        await refuseOutside(trx, session, columns);
        const id = await insertDriver(trx, session.accountId, columns);
        const target = { id, name: fields.name };
        await audit(trx, author, { action: 'driver.created', target, changes: changesBetween({}, fields) });
        return existing(await findDriverRow(trx, id));
      });
      await feed.settled();
      return answer(row);
    },

    update: async ({ session, author }, id, change) => {
      const columns = toColumns(change);
      const row = await inTransaction(db, session.accountId, async trx => {
        const before = held(session, await findDriverRow(trx, id));
        await refuseOutside(trx, session, newTo(before, columns));
        if (columns.archived) await freeDriver(trx, id, null);
        // An archived driver has no card.
        const set = columns.archived ? { ...columns, card: null } : columns;
        if (Object.keys(set).length > 0) await updateDriverRow(trx, id, set);
        const row = existing(await findDriverRow(trx, id));
        const changes = changesBetween(before, row);
        if (changes.length > 0) await audit(trx, author, { action: 'driver.changed', target: row, changes });
        return row;
      });
      await feed.settled();
      return answer(row);
    },

    remove: async ({ session, author }, id) => {
      await inTransaction(db, session.accountId, async trx => {
        const target = held(session, await findDriverRow(trx, id));
        await freeDriver(trx, id, null);
        await deleteDriverRow(trx, id);
        await audit(trx, author, { action: 'driver.deleted', target });
      });
      await feed.settled();
    },

    assign: async ({ session, author }, id, vehicleId) => {
      const vehicle = vehicleId === null ? null : visibility.heldVehicle(session, vehicleId);
      const row = await inTransaction(db, session.accountId, async trx => {
        const row = held(session, await findDriverRow(trx, id));
        if (row.archived) throw new AppError('not-found');
        const freed = await freeDriver(trx, id, vehicleId);
        if (vehicleId !== null) {
          await trx.updateTable('vehicle').set({ usual_driver_id: id }).where('id', '=', vehicleId).execute();
        }
        const names = await trx
          .selectFrom('vehicle')
          .select('name')
          .where('id', 'in', [0, ...freed])
          .execute();
        const from = names.map(({ name }) => name).join(', ') || null;
        const changes = [{ field: 'vehicle', from, to: vehicle?.name ?? null }];
        await audit(trx, author, { action: 'vehicle.driver-changed', target: row, changes });
        return row;
      });
      await feed.settled();
      return answer(row);
    },
  };
}

const UNIQUE_VIOLATION = '23505';
const TAKEN: Readonly<
  Record<string, { readonly code: 'card-taken' | 'licence-taken' | 'user-taken'; readonly field: string }>
> = {
  driver_card: { code: 'card-taken', field: 'card' },
  driver_licence: { code: 'licence-taken', field: 'licenceNumber' },
  driver_licence_once: { code: 'licence-taken', field: 'licenceNumber' },
  driver_user: { code: 'user-taken', field: 'userId' },
};

async function inTransaction<T>(
  db: Context['db'],
  accountId: number,
  work: (trx: AccountTransaction) => Promise<T>,
): Promise<T> {
  try {
    return await db.asAccount(accountId, work);
  } catch (error) {
    const taken =
      error instanceof DatabaseError && error.code === UNIQUE_VIOLATION ? TAKEN[error.constraint ?? ''] : undefined;
    if (!taken) throw error;
    const { code, field } = taken;
    throw fieldProblem(field, code);
  }
}

/** Only the fields that change: a form also sends unchanged ones. */
function newTo(before: DriverRow, { department_id: departmentId, user_id: userId }: Partial<DriverColumns>) {
  return {
    ...(departmentId !== undefined && departmentId !== before.department_id && { department_id: departmentId }),
    ...(userId !== undefined && userId !== before.user_id && { user_id: userId }),
  };
}

/** The role and scope of the user who becomes a driver; `not-found` if the account has no such user. */
async function scopedUser(trx: AccountTransaction, id: string): Promise<ScopedUser> {
  const row = await trx
    .selectFrom('app_user')
    .select(['scope_folders', 'scope_departments'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new AppError('not-found');
  const { scope_folders: folderIds, scope_departments: departmentIds } = row;
  return { scope: folderIds && departmentIds && { folderIds, departmentIds }, driver: null };
}

function existing(row: DriverRow | undefined): DriverRow {
  if (!row) throw new AppError('not-found');
  return row;
}

const NOTHING: Omit<DriverColumns, 'name'> = {
  phone: null,
  email: null,
  licence_number: null,
  licence_region: null,
  licence_class: null,
  licence_expires_on: null,
  card: null,
  department_id: null,
  user_id: null,
  notes: null,
};

/** Maps the contract's fields to columns; only the fields given. */
function toColumns(fields: DriverChange): Partial<DriverColumns> {
  const { departmentId } = fields;
  const columns = {
    name: fields.name,
    phone: fields.phone,
    email: fields.email,
    licence_number: fields.licenceNumber,
    licence_region: fields.licenceRegion,
    licence_class: fields.licenceClass,
    licence_expires_on: fields.licenceExpiresOn,
    card: fields.card,
    department_id: departmentId == null ? departmentId : Number(departmentId),
    user_id: fields.userId,
    notes: fields.notes,
    archived: fields.archived,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

function toDriver(row: DriverRow, vehicle: Driver['vehicle']): Driver {
  return {
    id: String(row.id),
    name: row.name,
    phone: row.phone,
    email: row.email,
    licenceNumber: row.licence_number,
    licenceRegion: row.licence_region,
    licenceClass: row.licence_class,
    licenceExpiresOn: row.licence_expires_on,
    card: row.card,
    departmentId: row.department_id === null ? null : String(row.department_id),
    userId: row.user_id,
    notes: row.notes,
    archived: row.archived,
    createdAt: row.created_at.toISOString(),
    vehicle,
    documentsExpireOn: row.documents_expire_on,
  };
}
