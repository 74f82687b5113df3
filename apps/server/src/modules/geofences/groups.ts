import {
  GEOFENCE_GROUPS_MAX,
  type GeofenceColor,
  type GeofenceGroup,
  type newGeofenceGroupSchema,
} from '@milepost/contract';
import { type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { detentionColumns, toDetention } from './detention.ts';
import { named } from './taken.ts';

type Fields = z.output<typeof newGeofenceGroupSchema>;
type Row = Selectable<Database['geofence_group']>;

export interface GeofenceGroups {
  list(accountId: number): Promise<GeofenceGroup[]>;
  create(by: By, fields: Fields): Promise<GeofenceGroup>;
  update(by: By, id: number, change: Partial<Fields>): Promise<GeofenceGroup>;
  /** Its geofences stay, in no group. */
  remove(by: By, id: number): Promise<void>;
}

export function createGeofenceGroups({ db }: Context): GeofenceGroups {
  const found = async (trx: AccountTransaction, id: number): Promise<Row> => {
    const row = await trx.selectFrom('geofence_group').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!row) throw new AppError('not-found');
    return row;
  };

  return {
    list: accountId =>
      db.asAccount(accountId, async trx =>
        (await trx.selectFrom('geofence_group').selectAll().orderBy(sql`lower(name)`).execute()).map(toGroup),
      ),

    create: (by, fields) =>
      named('geofence_group_name', 'geofence-group-name-taken', () =>
        db.asAccount(by.session.accountId, trx => createGroup(trx, by, fields)),
      ),

    update: ({ session: { accountId }, author }, id, change) =>
      named('geofence_group_name', 'geofence-group-name-taken', () =>
        db.asAccount(accountId, async trx => {
          const before = await found(trx, id);
          const known = { name: before.name, color: before.color, detention: toDetention(before) };
          const { name = known.name, color = known.color, detention = known.detention } = change;
          const columns = { name, color, ...detentionColumns(detention) };
          await trx.updateTable('geofence_group').set(columns).where('id', '=', id).execute();
          const after = { ...before, ...columns };
          const changes = changesBetween(known, { name, color, detention });
          if (changes.length > 0) {
            await audit(trx, author, { action: 'geofence-group.changed', target: after, changes });
          }
          return toGroup(after);
        }),
      ),

    remove: ({ session: { accountId }, author }, id) =>
      db.asAccount(accountId, async trx => {
        const row = await found(trx, id);
        await trx.deleteFrom('geofence_group').where('id', '=', id).execute();
        await audit(trx, author, { action: 'geofence-group.deleted', target: row });
      }),
  };
}

/** Creates one in the transaction of something larger. */
export async function createGroup(
  trx: AccountTransaction,
  { session: { accountId }, author }: By,
  { name, color, detention = null }: Fields,
): Promise<GeofenceGroup> {
  const { count } = await trx
    .selectFrom('geofence_group')
    .select(trx.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= GEOFENCE_GROUPS_MAX) {
    throw new AppError('too-many-geofence-groups', { limit: GEOFENCE_GROUPS_MAX });
  }
  const row = await trx
    .insertInto('geofence_group')
    .values({ account_id: accountId, name, color, ...detentionColumns(detention) })
    .returningAll()
    .executeTakeFirstOrThrow();
  const changes = changesBetween({}, { color, ...(detention && { detention }) });
  await audit(trx, author, { action: 'geofence-group.created', target: row, changes });
  return toGroup(row);
}

const toGroup = ({ id, name, color, ...columns }: Row): GeofenceGroup => ({
  id: String(id),
  name,
  color: color as GeofenceColor,
  detention: toDetention(columns),
});
