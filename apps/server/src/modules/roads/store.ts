import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { believedFixes } from '../../tracks/read.ts';
import { DAY_MS, type RoadFix } from './driven.ts';
import { type Cells, cellX, cellY, LEVELS, mergeCell } from './grid.ts';
import { bySquare, packSquare, unpackSquare } from './square.ts';

type Db = Kysely<Database>;

export interface Driver {
  readonly accountId: number;
  readonly vehicleId: number;
}

/** How far each vehicle's positions have been processed. */
export async function readThrough(db: Db): Promise<Map<number, number>> {
  const rows = await db.selectFrom('driven_road_through').select(['vehicle_id', 'through_at']).execute();
  return new Map(rows.map(({ vehicle_id, through_at }) => [vehicle_id, through_at.getTime()]));
}

/** A vehicle's next fixes that moved it, with the fields needed to find where it drove. */
export async function readFixes(
  db: Db,
  vehicleId: number,
  fromMs: number,
  toMs: number,
  limit: number,
): Promise<RoadFix[]> {
  const range = { after: new Date(fromMs), to: new Date(toMs) };
  const rows = await believedFixes(db, vehicleId, range, limit);
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
 * Adds driven cells and stores how far positions were processed, in one transaction. If late positions moved that
 * mark back meanwhile, it stays, and positions from there are processed again.
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

/** Drops an account's roads last driven before `fromDay`. */
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
        // Only if the square has not changed meanwhile; otherwise it is checked again.
        .where(eb => eb.and({ ...square, cells }))
        .execute();
    }
    if (rows.length === 0) return;
  }
}

/**
 * The first day whose roads are kept if positions are kept for `keepDays`. Roads are kept by whole days, so a day
 * that is only partly within the limit is dropped.
 */
export const firstDayKept = (keepDays: number, nowMs: number): number =>
  Math.floor((nowMs - keepDays * DAY_MS) / DAY_MS) + 1;
