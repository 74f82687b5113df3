import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { DAY_MS, type RoadFix } from './driven.ts';
import { type Cells, cellX, cellY, LEVELS, mergeCell } from './grid.ts';
import { bySquare, packSquare, unpackSquare } from './square.ts';

type Db = Kysely<Database>;

export interface Driver {
  readonly accountId: number;
  readonly vehicleId: number;
}

/** Up to when each vehicle's positions have been followed. */
export async function readThrough(db: Db): Promise<Map<number, number>> {
  const rows = await db.selectFrom('driven_road_through').select(['vehicle_id', 'through_at']).execute();
  return new Map(rows.map(({ vehicle_id, through_at }) => [vehicle_id, through_at.getTime()]));
}

/** The next fixes of a vehicle that moved it, with what says where it drove. */
export async function readFixes(
  db: Db,
  vehicleId: number,
  fromMs: number,
  toMs: number,
  limit: number,
): Promise<RoadFix[]> {
  const rows = await db
    .selectFrom('position')
    .select(['fix_at', 'lat', 'lon', 'speed', 'course'])
    .select(sql<boolean>`coalesce(attributes->>'privateMode' in ('true', '1'), false)`.as('is_private'))
    .where('vehicle_id', '=', vehicleId)
    .where('fix_at', '>', new Date(fromMs))
    .where('fix_at', '<=', new Date(toMs))
    .where('valid', '=', true)
    .where('doubts', '=', 0)
    .orderBy('fix_at')
    .limit(limit)
    .execute();
  return rows.map(({ fix_at, lat, lon, speed, course, is_private }) => ({
    fixMs: fix_at.getTime(),
    lat,
    lon,
    speed,
    course,
    isPrivate: is_private,
  }));
}

/**
 * Adds what was driven, and notes up to where in one transaction; unless positions came late meanwhile, which have moved
 * the note back: then all is followed again from there.
 */
export async function addRoads(
  db: Db,
  { accountId, vehicleId }: Driver,
  levels: readonly Cells[],
  through: { readonly beforeMs: number | null; readonly afterMs: number },
): Promise<void> {
  await db.transaction().execute(async trx => {
    for (const [i, cells] of levels.entries()) {
      const level = LEVELS[i]?.zoom ?? 0;
      for (const [key, driven] of bySquare(cells)) {
        const at = { x: cellX(key), y: cellY(key) };
        const known = await trx
          .selectFrom('driven_road')
          .select('cells')
          .where('vehicle_id', '=', vehicleId)
          .where('level', '=', level)
          .where('x', '=', at.x)
          .where('y', '=', at.y)
          .executeTakeFirst();
        const all: Cells = new Map(known ? unpackSquare(known.cells, at, 0) : []);
        for (const [cell, more] of driven) all.set(cell, mergeCell(all.get(cell), more));
        const row = { cells: packSquare(all), oldest_day: Math.min(...[...all.values()].map(({ day }) => day)) };
        await trx
          .insertInto('driven_road')
          .values({ account_id: accountId, vehicle_id: vehicleId, level, ...at, ...row })
          .onConflict(conflict => conflict.columns(['vehicle_id', 'level', 'x', 'y']).doUpdateSet(row))
          .execute();
      }
    }
    const after = new Date(through.afterMs);
    if (through.beforeMs === null) {
      await trx
        .insertInto('driven_road_through')
        .values({ account_id: accountId, vehicle_id: vehicleId, through_at: after })
        .onConflict(conflict => conflict.doNothing())
        .execute();
    } else {
      await trx
        .updateTable('driven_road_through')
        .set({ through_at: after })
        .where('vehicle_id', '=', vehicleId)
        .where('through_at', '=', new Date(through.beforeMs))
        .execute();
    }
  });
}

/** Takes out of an account's roads what was last driven on an earlier day than `fromDay`. */
export async function dropRoadsBefore(db: Db, accountId: number, fromDay: number): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('driven_road')
      .select(['vehicle_id', 'level', 'x', 'y', 'cells'])
      .where('account_id', '=', accountId)
      .where('oldest_day', '<', fromDay)
      .limit(200)
      .execute();
    for (const { cells, ...square } of rows) {
      const kept = [...unpackSquare(cells, square, fromDay)];
      if (kept.length === 0) {
        await db
          .deleteFrom('driven_road')
          .where(eb => eb.and({ ...square, cells }))
          .execute();
        continue;
      }
      await db
        .updateTable('driven_road')
        .set({ cells: packSquare(kept), oldest_day: Math.min(...kept.map(([, { day }]) => day)) })
        // Unless something was driven there meanwhile; then it is looked at again.
        .where(eb => eb.and({ ...square, cells }))
        .execute();
    }
    if (rows.length === 0) return;
  }
}

/** The first day whose roads are kept, where positions are kept for so many days: whole days only, rather one too few. */
export const firstDayKept = (keepDays: number, nowMs: number): number =>
  Math.floor((nowMs - keepDays * DAY_MS) / DAY_MS) + 1;
