import { sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';
import { turn } from '../../../workers/turns.ts';
import type { DailyFigures, DayRange, VehicleId } from './daily-figures.ts';

/** A vehicle that drove less was not in use: it was moved in its yard, or towed unseen. */
const IN_USE_METRES = 1000;

/** What a fleet did on a day, all its vehicles together. */
export interface DaySums {
  distanceM: number;
  movingS: number;
  idlingS: number;
  stoppedS: number;
  stops: number;
  maxSpeedMps: number | null;
  fixes: number;
  leftOut: number;
  inUse: number;
}

export interface VehicleSums {
  readonly vehicleId: number;
  idlingS: number;
  distanceM: number;
  fixes: number;
  leftOut: number;
}

export interface FleetSums {
  /** By day, where any vehicle has figures. */
  readonly days: ReadonlyMap<number, DaySums>;
  /** First day of all that any of the vehicles has figures of. */
  readonly since: number | null;
  readonly vehicles: readonly VehicleSums[];
  /** Seconds on the road by weekday (Monday first) and hour. */
  readonly hours: readonly (readonly number[])[];
}

/** Of a day without figures. */
export const NO_SUMS: DaySums = {
  distanceM: 0,
  movingS: 0,
  idlingS: 0,
  stoppedS: 0,
  stops: 0,
  maxSpeedMps: null,
  fixes: 0,
  leftOut: 0,
  inUse: 0,
};
const HOURS = [...Array(24).keys()];
/** Thousands of vehicles take a while: others get their turn. */
const VEHICLES_A_TURN = 200;

/** 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

/**
 * Sums of a fleet over days: those that are over by the database, today by what is counted of it. By day from
 * `range.from` on, by vehicle and hour from `detailFrom` on.
 */
export async function fleetSums(
  trx: AccountTransaction,
  figures: DailyFigures,
  vehicles: readonly VehicleId[],
  { from, detailFrom, to, nowMs }: DayRange & { readonly detailFrom: number },
): Promise<FleetSums> {
  const [first] = vehicles;
  if (!first) return { days: new Map(), since: null, vehicles: [], hours: emptyWeek() };
  const calendar = figures.calendar(first.accountId);
  const today = calendar.dayOf(nowMs);
  const ids = vehicles.map(({ id }) => id);
  const stored = (begin: number) =>
    trx
      .selectFrom('vehicle_day')
      .where(sql<boolean>`vehicle_id = any (${ids})`)
      .where('day', '>=', calendar.dateOf(begin))
      .where('day', '<=', calendar.dateOf(Math.min(to, today - 1)));

  const days = new Map<number, DaySums>();
  const rows = await stored(from)
    .select([
      'day',
      sql<number>`sum(distance)`.as('distanceM'),
      sql<number>`sum(moving)`.as('movingS'),
      sql<number>`sum(idling)`.as('idlingS'),
      sql<number>`sum(stopped)`.as('stoppedS'),
      sql<number>`sum(stops)::float8`.as('stops'),
      sql<number | null>`max(max_speed)`.as('maxSpeedMps'),
      sql<number>`sum(fixes)::float8`.as('fixes'),
      sql<number>`sum(left_out)::float8`.as('leftOut'),
      sql<number>`count(*) filter (where moving > 0 and distance >= ${sql.lit(IN_USE_METRES)})::float8`.as('inUse'),
    ])
    .groupBy('day')
    .execute();
  for (const { day, ...sums } of rows) days.set(calendar.numberOf(day), sums);

  const byVehicle = new Map<number, VehicleSums>();
  for (const row of await stored(detailFrom)
    .select([
      'vehicle_id as vehicleId',
      sql<number>`sum(idling)`.as('idlingS'),
      sql<number>`sum(distance)`.as('distanceM'),
      sql<number>`sum(fixes)::float8`.as('fixes'),
      sql<number>`sum(left_out)::float8`.as('leftOut'),
    ])
    .groupBy('vehicle_id')
    .execute()) {
    byVehicle.set(row.vehicleId, row);
  }
  const hours = emptyWeek();
  for (const row of await stored(detailFrom)
    .where('hours', 'is not', null)
    .select([
      sql<number>`extract(isodow from day)::int4`.as('weekday'),
      sql<number[]>`array[${sql.join(HOURS.map(hour => sql`sum(hours[${sql.lit(hour + 1)}])::float8`))}]`.as('sums'),
    ])
    .groupBy(sql`1`)
    .execute()) {
    hours[row.weekday - 1] = row.sums;
  }

  if (today >= from && today <= to) {
    const sums = { ...NO_SUMS };
    for (const [nth, { id }] of vehicles.entries()) {
      if (nth % VEHICLES_A_TURN === VEHICLES_A_TURN - 1) await turn();
      const totals = figures.today(id, nowMs);
      if (totals === null) continue;
      sums.distanceM += totals.distanceM;
      sums.movingS += totals.movingS;
      sums.idlingS += totals.idlingS;
      sums.stoppedS += totals.stoppedS;
      sums.stops += totals.stops;
      sums.fixes += totals.fixes;
      sums.leftOut += totals.leftOut;
      if (totals.movingS > 0 && totals.distanceM >= IN_USE_METRES) sums.inUse++;
      if (totals.maxSpeedMps !== null) sums.maxSpeedMps = Math.max(sums.maxSpeedMps ?? 0, totals.maxSpeedMps);
      days.set(today, sums);
      const vehicle = byVehicle.get(id) ?? { vehicleId: id, idlingS: 0, distanceM: 0, fixes: 0, leftOut: 0 };
      vehicle.idlingS += totals.idlingS;
      vehicle.distanceM += totals.distanceM;
      vehicle.fixes += totals.fixes;
      vehicle.leftOut += totals.leftOut;
      byVehicle.set(id, vehicle);
      const row = hours[weekdayOf(today)] ?? [];
      for (const [hour, seconds] of (totals.hours ?? []).entries()) row[hour] = (row[hour] ?? 0) + seconds;
    }
  }

  const oldest = await trx
    .selectFrom('vehicle_day')
    .select('day')
    .where(sql<boolean>`vehicle_id = any (${ids})`)
    .where('fixes', '>', 0)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst();
  const since = oldest ? calendar.numberOf(oldest.day) : days.has(today) ? today : null;
  return { days, since, vehicles: [...byVehicle.values()], hours };
}

const emptyWeek = (): number[][] => Array.from({ length: 7 }, () => HOURS.map(() => 0));
