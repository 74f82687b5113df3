import {
  DEFAULT_GEOFENCE_EDGE,
  GEOFENCES_MAX,
  type Geofence,
  type GeofenceColor,
  type GeofenceShape,
  type GeofenceVehicles,
  type geofenceChangeSchema,
  type newGeofenceGroupSchema,
  type newGeofenceSchema,
} from '@milepost/contract';
import { type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import { AppError, invalidField } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { detentionColumns, toDetention } from './detention.ts';
import { createGroup } from './groups.ts';
import { refuseImpossibleShape } from './shapes.ts';
import { named } from './taken.ts';
import { closeRestrictedOf } from './visits/restricted.ts';

type Fields = z.output<typeof newGeofenceSchema>;
type Imported = Fields & { readonly newGroup?: string | undefined };
type NewGroup = z.output<typeof newGeofenceGroupSchema>;
type Change = z.output<typeof geofenceChangeSchema>;
type Row = Selectable<Database['geofence']>;
/** All of a geofence that its users decide on. */
type Kept = Required<Change>;

/** A geofence as it is now, and the alerts that its change ended. */
interface Changed {
  readonly changed: Geofence;
  readonly ended: readonly string[];
}

export interface Geofences {
  /** By name. A limited user is not told of vehicles that they don't see. */
  list(viewer: Session): Promise<Geofence[]>;
  create(by: By, fields: Fields): Promise<Geofence>;
  /** All of them, or none. */
  createAll(by: By, all: readonly Imported[], groups?: readonly NewGroup[]): Promise<Geofence[]>;
  update(by: By, id: number, change: Change): Promise<Geofence>;
  /** All of them, or none. */
  updateAll(by: By, ids: readonly number[], change: Change): Promise<Geofence[]>;
  remove(by: By, id: number): Promise<void>;
  /** All of them, or none. */
  removeAll(by: By, ids: readonly number[]): Promise<number>;
}

const DEFAULTS: Omit<Kept, 'name' | 'shape'> = {
  groupId: null,
  color: 'blue',
  isRestricted: false,
  isOn: true,
  edge: DEFAULT_GEOFENCE_EDGE,
  vehicles: null,
  note: null,
  detention: null,
  speedLimitKmh: null,
};

export function createGeofences({ db, signals }: Context, { visibility, directory }: Organisation): Geofences {
  const rows = (trx: AccountTransaction) =>
    trx
      .selectFrom('geofence')
      .leftJoin('person', join =>
        join.onRef('person.account_id', '=', 'geofence.account_id').onRef('person.id', '=', 'geofence.created_by'),
      )
      .selectAll('geofence')
      .select('person.display_name as creator');

  const found = async (trx: AccountTransaction, id: number): Promise<Geofence> => {
    const row = await rows(trx).where('geofence.id', '=', id).forUpdate('geofence').executeTakeFirst();
    if (!row) throw new AppError('not-found');
    return toGeofence(row, (await vehiclesOf(trx, [id])).get(id));
  };

  const insert = async (trx: AccountTransaction, { session }: By, fields: Fields): Promise<number> => {
    const { accountId, userId } = session;
    const kept: Kept = { ...DEFAULTS, ...fields };
    refuseImpossibleShape(kept.shape);
    await refuseUnknown(trx, kept);
    const { id } = await trx
      .insertInto('geofence')
      .values({ account_id: accountId, created_by: userId, ...toRow(kept) })
      .returning('id')
      .executeTakeFirstOrThrow();
    await writeVehicles(trx, accountId, id, kept.vehicles);
    return id;
  };

  const changeOne = async (
    trx: AccountTransaction,
    { session: { accountId }, author }: By,
    id: number,
    change: Change,
  ): Promise<Changed> => {
    const before = await found(trx, id);
    const after: Kept = { ...before, ...change };
    if (change.shape) refuseImpossibleShape(change.shape);
    await refuseUnknown(trx, after);
    const changes = changesBetween(said(before), said(after));
    if (changes.length === 0) return { changed: before, ended: [] };
    await trx
      .updateTable('geofence')
      .set({ ...toRow(after), changed_at: new Date() })
      .where('id', '=', id)
      .execute();
    if (change.vehicles !== undefined) await writeVehicles(trx, accountId, id, after.vehicles);
    const ended = after.isOn && after.isRestricted ? [] : await closeRestrictedOf(trx, accountId, id);
    await audit(trx, author, { action: 'geofence.changed', target: { id, name: after.name }, changes });
    return { changed: await found(trx, id), ended };
  };

  /** Answers the alerts that end with it. */
  const removeOne = async (
    trx: AccountTransaction,
    { session: { accountId }, author }: By,
    id: number,
  ): Promise<readonly string[]> => {
    const before = await found(trx, id);
    // Nothing will end them any more.
    const closed = await closeRestrictedOf(trx, accountId, id, ['restricted', 'rule']);
    await noteDeletion(trx, accountId, before);
    await trx.deleteFrom('geofence').where('id', '=', id).execute();
    await audit(trx, author, { action: 'geofence.deleted', target: before });
    return closed;
  };

  const announce = (ids: readonly string[]): void => {
    if (ids.length > 0) signals.emit('alerts-written', { ids });
  };

  return {
    list: viewer =>
      db.asAccount(viewer.accountId, async trx => {
        const listed = await rows(trx).orderBy(sql`lower(geofence.name)`).execute();
        const vehicles = await vehiclesOf(trx);
        const isSeen = (id: string): boolean => visibility.sees(viewer, directory.findById(Number(id)));
        return listed.map(row => {
          const of = vehicles.get(row.id);
          return toGeofence(row, of && { ...of, deviceIds: of.deviceIds.filter(isSeen) });
        });
      }),

    create: (by, fields) =>
      named('geofence_name', 'geofence-name-taken', () =>
        db.asAccount(by.session.accountId, async trx => {
          await refuseTooMany(trx, 1);
          const id = await insert(trx, by, fields);
          const changes = changesBetween({}, said({ ...DEFAULTS, ...fields }));
          await audit(trx, by.author, { action: 'geofence.created', target: { id, name: fields.name }, changes });
          return found(trx, id);
        }),
      ),

    createAll: (by, all, groups = []) =>
      named('geofence_group_name', 'geofence-group-name-taken', () =>
        named('geofence_name', 'geofence-name-taken', () =>
          db.asAccount(by.session.accountId, async trx => {
            await refuseTooMany(trx, all.length);
            const idOf = new Map<string, string>();
            for (const group of groups) idOf.set(group.name, (await createGroup(trx, by, group)).id);
            const made: Geofence[] = [];
            for (const { newGroup, ...fields } of all) {
              const groupId = (newGroup !== undefined && idOf.get(newGroup)) || fields.groupId;
              const known = groupId === undefined ? fields : { ...fields, groupId };
              made.push(await found(trx, await insert(trx, by, known)));
            }
            const changes = changesBetween({}, { count: all.length });
            await audit(trx, by.author, { action: 'geofence.imported', changes });
            return made;
          }),
        ),
      ),

    update: async (by, id, change) => {
      const { changed, ended } = await named('geofence_name', 'geofence-name-taken', () =>
        db.asAccount(by.session.accountId, trx => changeOne(trx, by, id, change)),
      );
      announce(ended);
      return changed;
    },

    updateAll: async (by, ids, change) => {
      const all = await db.asAccount(by.session.accountId, async trx => {
        const done: Changed[] = [];
        for (const id of inOrder(ids)) done.push(await changeOne(trx, by, id, change));
        return done;
      });
      announce(all.flatMap(({ ended }) => ended));
      return all.map(({ changed }) => changed);
    },

    remove: async (by, id) => announce(await db.asAccount(by.session.accountId, trx => removeOne(trx, by, id))),

    removeAll: async (by, ids) => {
      const unique = inOrder(ids);
      const ended = await db.asAccount(by.session.accountId, async trx => {
        const closed: string[] = [];
        for (const id of unique) closed.push(...(await removeOne(trx, by, id)));
        return closed;
      });
      announce(ended);
      return unique.length;
    },
  };
}

/** Two requests that lock the same geofences don't wait for each other forever. */
const inOrder = (ids: readonly number[]): number[] => [...new Set(ids)].toSorted((a, b) => a - b);

/** For watchers, also those that are away [R7.38]. Nobody asks for longer than a day. */
async function noteDeletion(trx: AccountTransaction, accountId: number, geofence: Geofence): Promise<void> {
  const { color, id, name, shape } = geofence;
  await trx
    .insertInto('geofence_deleted')
    .values({ account_id: accountId, geofence_id: Number(id), name, kind: shape.kind, color })
    .execute();
  await sql`
    delete from geofence_deleted
    where account_id = ${accountId} and deleted_at < now() - interval '2 days'`.execute(trx);
}

async function refuseTooMany(trx: AccountTransaction, more: number): Promise<void> {
  const { count } = await trx
    .selectFrom('geofence')
    .select(trx.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) + more > GEOFENCES_MAX) throw new AppError('too-many-geofences', { limit: GEOFENCES_MAX });
}

async function refuseUnknown(trx: AccountTransaction, { groupId, vehicles }: Kept): Promise<void> {
  const areThere = async (table: 'geofence_group' | 'folder' | 'vehicle', ids: readonly string[]): Promise<boolean> => {
    const unique = [...new Set(ids)].map(Number);
    if (unique.length === 0) return true;
    return (await trx.selectFrom(table).select('id').where('id', 'in', unique).execute()).length === unique.length;
  };
  if (groupId && !(await areThere('geofence_group', [groupId]))) {
    throw invalidField('groupId', 'unknown-geofence-group');
  }
  if (!vehicles) return;
  if (!(await areThere('folder', vehicles.folderIds))) throw invalidField('vehicles', 'unknown-folder');
  if (!(await areThere('vehicle', vehicles.deviceIds))) throw invalidField('vehicles', 'unknown-vehicle');
}

/** Which vehicles geofences are for; those for all vehicles may be missing. */
async function vehiclesOf(
  trx: AccountTransaction,
  ids: readonly number[] | null = null,
): Promise<Map<number, GeofenceVehicles>> {
  const found = await trx
    .selectFrom('geofence_vehicle')
    .select(['geofence_id', 'folder_id', 'vehicle_id'])
    .$if(ids !== null, query => query.where('geofence_id', 'in', ids ?? []))
    .orderBy('folder_id')
    .orderBy('vehicle_id')
    .execute();
  const byGeofence = Map.groupBy(found, row => row.geofence_id);
  return new Map(
    [...byGeofence].map(([id, of]) => [
      id,
      {
        folderIds: of.flatMap(({ folder_id }) => (folder_id === null ? [] : String(folder_id))),
        deviceIds: of.flatMap(({ vehicle_id }) => (vehicle_id === null ? [] : String(vehicle_id))),
      },
    ]),
  );
}

async function writeVehicles(
  trx: AccountTransaction,
  accountId: number,
  id: number,
  vehicles: GeofenceVehicles | null,
): Promise<void> {
  await trx.deleteFrom('geofence_vehicle').where('geofence_id', '=', id).execute();
  const row = { account_id: accountId, geofence_id: id, folder_id: null, vehicle_id: null };
  const values = [
    ...[...new Set(vehicles?.folderIds)].map(folder => ({ ...row, folder_id: Number(folder) })),
    ...[...new Set(vehicles?.deviceIds)].map(device => ({ ...row, vehicle_id: Number(device) })),
  ];
  if (values.length > 0) await trx.insertInto('geofence_vehicle').values(values).execute();
}

const toRow = ({
  name,
  groupId,
  color,
  isRestricted,
  isOn,
  shape,
  edge,
  vehicles,
  note,
  detention,
  speedLimitKmh,
}: Kept) => ({
  name,
  group_id: groupId === null ? null : Number(groupId),
  color,
  is_restricted: isRestricted,
  is_on: isOn,
  shape: JSON.stringify(shape),
  buffer_m: edge.bufferM,
  min_fixes: edge.minFixes,
  min_seconds: edge.minSeconds,
  is_for_all: vehicles === null,
  note: note === '' ? null : note,
  ...detentionColumns(detention),
  speed_limit_kmh: speedLimitKmh,
});

function toGeofence(row: Row & { readonly creator: string | null }, vehicles?: GeofenceVehicles): Geofence {
  return {
    id: String(row.id),
    name: row.name,
    groupId: row.group_id === null ? null : String(row.group_id),
    color: row.color as GeofenceColor,
    isRestricted: row.is_restricted,
    isOn: row.is_on,
    shape: row.shape as GeofenceShape,
    edge: { bufferM: row.buffer_m, minFixes: row.min_fixes, minSeconds: row.min_seconds },
    vehicles: row.is_for_all ? null : (vehicles ?? { folderIds: [], deviceIds: [] }),
    note: row.note,
    detention: toDetention(row),
    speedLimitKmh: row.speed_limit_kmh,
    createdAt: row.created_at.toISOString(),
    createdBy: row.creator,
    changedAt: row.changed_at.toISOString(),
  };
}

/** As the audit log says it. */
const said = ({ edge, note, ...fields }: Kept) => ({ ...fields, ...edge, note: note === '' ? null : note });
