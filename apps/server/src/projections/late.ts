import { sql } from 'kysely';
import type { AccountTransaction } from '../db/database.ts';
import { firstOfEachDay, PRIME_MS } from '../tracks/fixes.ts';
import type { Db, LateRange } from './reading.ts';

/** A day (UTC) of which positions were stored behind newer ones, marked in their own transaction. */
export interface LateMark extends LateRange {
  readonly vehicleId: number;
  readonly day: string;
  readonly marks: string;
}

interface Marked {
  /** Of all vehicles if null. */
  readonly vehicleIds: readonly number[] | null;
  readonly nowMs: number;
  readonly limit: number;
  /** Vehicles that others keep are left to them. */
  readonly notOf: readonly number[];
}

/**
 * The last two days first, then week by week: what is recent is looked at most. Within these, a vehicle's days come one
 * after the other, because neighboring days are counted together.
 */
export async function readMarks(db: Db, { vehicleIds, nowMs, limit, notOf }: Marked): Promise<LateMark[]> {
  const rows = await db
    .selectFrom('vehicle_day_stale')
    .selectAll()
    .where('first_at', '<', new Date(nowMs))
    .where(sql<boolean>`vehicle_id <> all (${notOf}::int4[])`)
    .$if(vehicleIds !== null, query => query.where(sql<boolean>`vehicle_id = any (${vehicleIds}::int4[])`))
    .orderBy(sql`day >= ${new Date(nowMs)}::date - 1`, 'desc')
    .orderBy(sql`(day - date '2024-01-01') / 7`, 'desc')
    .orderBy('vehicle_id')
    .orderBy('day', 'desc')
    .limit(limit)
    .execute();
  return rows.map(row => ({
    vehicleId: row.vehicle_id,
    day: row.day,
    firstMs: row.first_at.getTime(),
    lastMs: Math.min(row.last_at.getTime(), nowMs),
    marks: row.marks,
  }));
}

/** Marks of one vehicle that come one after the other, so many at most. */
export function runsOf(marks: readonly LateMark[], most: number): LateMark[][] {
  const runs: LateMark[][] = [];
  for (const mark of marks) {
    const run = runs.at(-1);
    if (run && run.length < most && run[0]?.vehicleId === mark.vehicleId) run.push(mark);
    else runs.push([mark]);
  }
  return runs;
}

/** The vehicles with marked days, and how many they have. */
export async function markedVehicles(db: Db, accountId: number | null): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('vehicle_day_stale')
    .select(['vehicle_id', sql<number>`count(*)::int4`.as('days')])
    .$if(accountId !== null, query => query.where('account_id', '=', accountId as number))
    .groupBy('vehicle_id')
    .execute();
  return new Map(rows.map(row => [row.vehicle_id, row.days]));
}

/** The vehicles into whose past positions came late, and how many of their days. */
export class LateVehicles {
  readonly #days = new Map<number, number>();

  get days(): number {
    return [...this.#days.values()].reduce((sum, days) => sum + days, 0);
  }

  has(vehicleId: number): boolean {
    return this.#days.has(vehicleId);
  }

  /** One day at least. */
  add(vehicleId: number): void {
    this.#days.set(vehicleId, this.#days.get(vehicleId) ?? 1);
  }

  done(vehicleId: number): void {
    this.#days.delete(vehicleId);
  }

  /** Of these vehicles, those that are `marked` are late, and no others. */
  set(isMeant: (vehicleId: number) => boolean, marked: ReadonlyMap<number, number>): void {
    for (const id of this.#days.keys()) if (isMeant(id)) this.#days.delete(id);
    for (const [id, days] of marked) this.#days.set(id, days);
  }
}

/** Positions that came late may still change what happened in [fromMs, toMs). */
export async function isLateBetween(
  trx: AccountTransaction,
  vehicleId: number,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<boolean> {
  const row = await trx
    .selectFrom('vehicle_day_stale')
    .select('day')
    .where('vehicle_id', '=', vehicleId)
    .where('last_at', '>=', new Date(fromMs - PRIME_MS))
    .where('first_at', '<', new Date(toMs + PRIME_MS))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Unless another mark came meanwhile. */
export const takeOff = (db: Db, { vehicleId, day, marks }: LateMark) =>
  db
    .deleteFrom('vehicle_day_stale')
    .where('vehicle_id', '=', vehicleId)
    .where('day', '=', day)
    .where('marks', '=', marks)
    .execute();

/** Marks every day before a moment that has positions of the vehicle. What comes meanwhile marks its own day. */
export async function markPast(db: Db, accountId: number, vehicleId: number, beforeMs: number): Promise<void> {
  const before = new Date(beforeMs);
  const firsts = await firstOfEachDay(db, vehicleId, before);
  if (firsts.length === 0) return;
  await sql`
    insert into vehicle_day_stale as known (account_id, vehicle_id, day, first_at, last_at)
    select ${accountId}, ${vehicleId}, (fix_at at time zone 'UTC')::date, fix_at,
      least((date_trunc('day', fix_at at time zone 'UTC') + interval '1 day') at time zone 'UTC', ${before})
        - interval '1 millisecond'
    from unnest(${firsts}::timestamptz[]) as past (fix_at)
    on conflict (vehicle_id, day) do update set
      first_at = least(known.first_at, excluded.first_at),
      last_at = greatest(known.last_at, excluded.last_at),
      marks = known.marks + 1`.execute(db);
}
