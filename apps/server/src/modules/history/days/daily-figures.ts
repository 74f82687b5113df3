import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { LiveStates } from '../../../ingest/live.ts';
import type { Directory } from '../../vehicles/directory.ts';
import { createAccountCalendars } from './account-calendars.ts';
import type { Calendar } from './calendar.ts';
import { DayManager } from './day-manager.ts';
import { type DayTotals, fromColumns, nothingKnown } from './totals.ts';

/** What vehicles did, day by day: always what the day route says of the same positions. */
export interface DailyFigures {
  readonly manager: DayManager;
  calendar(accountId: number): Calendar;
  /** Of each of these vehicles on one day, up to now where that is today. */
  ofDay(
    trx: AccountTransaction,
    vehicles: readonly VehicleId[],
    day: number,
    nowMs: number,
  ): Promise<Map<number, DayTotals>>;
  /** Of one vehicle, today until now; null where nothing is known. */
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

export function openDailyFigures(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { directory, live }: { readonly directory: Directory; readonly live: LiveStates },
): DailyFigures {
  const calendars = createAccountCalendars(db);
  const manager = new DayManager({ db, log: log.child({ part: 'figures' }), directory, live, calendars });

  const today = (vehicleId: number, day: number, nowMs: number): DayTotals | null => {
    const open = manager.of(vehicleId)?.open(day) ?? null;
    return open === null || open.isEmpty ? null : open.totals(nowMs);
  };

  return {
    manager,
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
      const vehicle = manager.of(vehicleId);
      return vehicle && today(vehicleId, vehicle.calendar.dayOf(nowMs), nowMs);
    },
  };
}
