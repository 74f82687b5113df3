import { addSums, NO_SUMS, type FleetSums as Sums } from '@milepost/contract';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';
import { turn } from '../../../workers/turns.ts';
import type { Calendar } from './calendar.ts';
import type { DailyFigures, DayRange, VehicleId } from './daily-figures.ts';

/** A vehicle that drove less was not in use, only moved in its yard or towed. */
const IN_USE_METRES = 1000;

export const isInUse = ({ movingS, distanceM }: Pick<Sums, 'movingS' | 'distanceM'>): boolean =>
  movingS > 0 && distanceM >= IN_USE_METRES;

export interface VehicleSums extends Sums {
  readonly vehicleId: number;
  /** The first day with figures. */
  readonly since: number | null;
}

export interface FleetSums {
  /** By day, for days with figures of any vehicle. */
  readonly days: ReadonlyMap<number, Sums>;
  /** The first day on which any of the vehicles has figures. */
  readonly since: number | null;
  /** The sum over the period's days from `since` on. */
  readonly vehicles: readonly VehicleSums[];
  /** Seconds on the road by weekday (Monday first) and hour. */
  readonly hours: readonly (readonly number[])[];
}

/** Sums of stored days, in the order of `Sums`; alerts are counted elsewhere. */
const SUMS = [
  sql<number>`sum(distance)`.as('distanceM'),
  sql<number>`sum(moving)`.as('movingS'),
  sql<number>`sum(idling)`.as('idlingS'),
  sql<number>`sum(stopped)`.as('stoppedS'),
  sql<number>`sum(stops)::float8`.as('stops'),
  sql<number | null>`max(max_speed)`.as('maxSpeedMps'),
  sql<number>`sum(fixes)::float8`.as('fixes'),
  sql<number>`sum(left_out)::float8`.as('leftOut'),
  sql<number>`count(*) filter (where moving > 0 and distance >= ${sql.lit(IN_USE_METRES)})::float8`.as('inUse'),
] as const;
const HOURS = [...Array(24).keys()];
/** Thousands of vehicles take a while, so other requests get a turn. */
const VEHICLES_A_TURN = 200;

/** 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

/**
 * Sums of a fleet over days: past days are summed by the database, today from the open counters. By day from
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

  const sinceOf = await firstDays(trx, ids, calendar);
  const oldest = [...sinceOf.values()].reduce((first, day) => Math.min(first, day), Number.POSITIVE_INFINITY);

  const days = new Map<number, Sums>();
  for (const { day, ...sums } of await stored(from)
    .select(['day', ...SUMS])
    .groupBy('day')
    .execute()) {
    days.set(calendar.numberOf(day), { ...sums, alerts: 0 });
  }
  const byVehicle = new Map<number, Sums>();
  // Positions left out before the very first day belong to no reported day.
  for (const { vehicleId, ...sums } of await stored(Math.max(detailFrom, Math.min(oldest, today)))
    .select(['vehicle_id as vehicleId', ...SUMS])
    .groupBy('vehicle_id')
    .execute()) {
    byVehicle.set(vehicleId, { ...sums, alerts: 0 });
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
    let sums = NO_SUMS;
    for (const [nth, { id }] of vehicles.entries()) {
      if (nth % VEHICLES_A_TURN === VEHICLES_A_TURN - 1) await turn();
      const totals = figures.today(id, nowMs);
      if (totals === null) continue;
      const day = { ...totals, inUse: isInUse(totals) ? 1 : 0, alerts: 0 };
      sums = addSums(sums, day);
      days.set(today, sums);
      byVehicle.set(id, addSums(byVehicle.get(id) ?? NO_SUMS, day));
      if (!sinceOf.has(id)) sinceOf.set(id, today);
      const row = hours[weekdayOf(today)] ?? [];
      for (const [hour, seconds] of (totals.hours ?? []).entries()) row[hour] = (row[hour] ?? 0) + seconds;
    }
  }

  const since = Number.isFinite(oldest) ? oldest : days.has(today) ? today : null;
  const sumsOf = (vehicleId: number): VehicleSums => ({
    ...(byVehicle.get(vehicleId) ?? NO_SUMS),
    vehicleId,
    since: sinceOf.get(vehicleId) ?? null,
  });
  return { days, since, vehicles: ids.map(sumsOf), hours };
}

/** Of each vehicle its first kept day with a fix. */
async function firstDays(
  trx: AccountTransaction,
  ids: readonly number[],
  calendar: Calendar,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; day: string }>`
    select vehicle.id, first.day from unnest(${ids}::int4[]) as vehicle (id)
    cross join lateral (
      select day from vehicle_day where vehicle_id = vehicle.id and fixes > 0 order by day limit 1
    ) first`.execute(trx);
  return new Map(rows.map(({ id, day }) => [id, calendar.numberOf(day)]));
}

const emptyWeek = (): number[][] => Array.from({ length: 7 }, () => HOURS.map(() => 0));
