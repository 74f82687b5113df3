import { type DayCount, DayCounter } from '@milepost/geo';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Directory } from '../../../fleet/directory.ts';
import type { LiveStates } from '../../../fleet/live.ts';
import { ProjectionRunner } from '../../../projections/runner.ts';
import type { Visits } from '../../geofences/visits/visits.ts';
import type { WatchedRules } from '../../rules/rule-projection.ts';
import { type TripProjection, tripProjection } from '../trips/trips.ts';
import { createAccountCalendars } from './account-calendars.ts';
import type { Calendar } from './calendar.ts';
import { dayProjection } from './store.ts';
import { type DayTotals, fromColumns, nothingKnown, toColumns, totalsOf } from './totals.ts';

/** Daily figures of vehicles: always equal to what the day route computes from the same positions. */
export interface DailyFigures {
  readonly manager: ProjectionRunner;
  readonly trips: TripProjection;
  calendar(accountId: number): Calendar;
  /** The figures of each of these vehicles on one day; today's up to now. */
  ofDay(
    trx: AccountTransaction,
    vehicles: readonly VehicleId[],
    day: number,
    nowMs: number,
  ): Promise<Map<number, DayTotals>>;
  /** One vehicle's figures today until now; null if nothing is known. */
  today(vehicleId: number, nowMs: number): DayTotals | null;
}

export interface VehicleId {
  readonly id: number;
  readonly accountId: number;
}

export interface DayRange {
  readonly from: number;
  readonly to: number;
  readonly nowMs: number;
}

export interface FiguresParts {
  readonly directory: Directory;
  readonly live: LiveStates;
  /** Folded beside the figures; left out where nobody asks for visits. */
  readonly visits?: Visits;
  /** Rules that are watched beside them. */
  readonly rules?: WatchedRules;
}

export function openDailyFigures(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { directory, live, rules, visits }: FiguresParts,
): DailyFigures {
  const calendars = createAccountCalendars(db);
  const days = dayProjection({
    name: 'days',
    table: 'vehicle_day',
    calendars,
    begin: (from, to, count) => new DayCounter(from, to, count === undefined ? {} : { count: count as DayCount }),
    columns: ({ calendar, day }, nowMs) => toColumns(totalsOf(day.counter.figures(day.untilMs(nowMs)), calendar)),
  });
  const trips = tripProjection(calendars);
  const manager = new ProjectionRunner({
    db,
    log: log.child({ part: 'projections' }),
    directory,
    live,
    projections: [days, trips, ...(visits ? [visits.projection] : []), ...(rules ? [rules.projection] : [])],
    refresh: async accountId => {
      await visits?.book.refresh(accountId);
      await rules?.book.refresh(accountId);
      return calendars.refresh(accountId);
    },
  });

  const today = (vehicleId: number, day: number, nowMs: number): DayTotals | null => {
    const vehicle = manager.fold(days, vehicleId);
    const open = vehicle?.open(day) ?? null;
    if (vehicle === null || open === null || open.isEmpty) return null;
    return totalsOf(open.counter.figures(open.untilMs(nowMs)), vehicle.calendar);
  };

  return {
    manager,
    trips,
    calendar: calendars.of,
    ofDay: async (trx, vehicles, day, nowMs) => {
      const [first] = vehicles;
      if (!first) return new Map();
      const calendar = calendars.of(first.accountId);
      const known = new Map<number, DayTotals>();
      if (day < calendar.dayOf(nowMs)) {
        const rows = await trx
          .selectFrom('vehicle_day')
          .selectAll()
          .where(sql<boolean>`vehicle_id = any (${vehicles.map(({ id }) => id)})`)
          .where('day', '=', calendar.dateOf(day))
          .execute();
        for (const row of rows) known.set(row.vehicle_id, fromColumns(row));
      }
      const overMs = Math.min(calendar.startOf(day + 1), nowMs) - calendar.startOf(day);
      const of = (id: number) => known.get(id) ?? today(id, day, nowMs) ?? nothingKnown(overMs);
      return new Map(vehicles.map(({ id }) => [id, of(id)]));
    },
    today: (vehicleId, nowMs) => {
      const vehicle = manager.fold(days, vehicleId);
      return vehicle && today(vehicleId, vehicle.calendar.dayOf(nowMs), nowMs);
    },
  };
}
