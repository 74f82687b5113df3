import { readFleetDay } from '@milepost/contract';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../http/server.ts';
import type { Viewer, Visibility } from '../../organisation/visibility.ts';
import type { DirectoryEntry } from '../../vehicles/directory.ts';
import { cardDay } from './card-day.ts';
import type { DailyFigures } from './daily-figures.ts';
import type { DayTotals } from './totals.ts';

/** Longer than counting what came since the last look takes; a fleet that is only just read in is told as it stands. */
export const CATCH_UP_TIMEOUT_MS = 400;

export interface DayParts {
  readonly visibility: Visibility;
  readonly figures: DailyFigures;
}

export function registerFleetDay(http: Http, { db }: Context, { figures, visibility }: DayParts): void {
  http.handle(readFleetDay, async ({ session, query }) => {
    const vehicles = visibility.vehicles(session);
    const ids = vehicles.map(({ id }) => id);
    await figures.manager.catchUp(session.accountId, ids, CATCH_UP_TIMEOUT_MS);
    const calendar = figures.calendar(session.accountId);
    const nowMs = Date.now();
    const day = query.date === undefined ? calendar.dayOf(nowMs) : calendar.numberOf(query.date);
    const [fromMs, toMs] = [calendar.startOf(day), calendar.startOf(day + 1)];
    const totals = await db.asAccount(session.accountId, trx =>
      isDriver(session)
        ? cardDay(trx, vehicles, { fromMs, toMs, nowMs, calendar }, (vehicle: DirectoryEntry, rfid) =>
            visibility.seesPosition(session, vehicle, rfid),
          )
        : figures.ofDay(trx, vehicles, day, nowMs),
    );
    return {
      date: calendar.dateOf(day),
      zone: calendar.zone,
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
      until: new Date(Math.min(toMs, Math.max(fromMs, nowMs))).toISOString(),
      vehicles: vehicles.map(({ id }) => ({
        deviceId: String(id),
        ...withoutHours(totals.get(id) as DayTotals),
        isBehind: figures.manager.isBehind(id, nowMs),
      })),
    };
  });
}

/** Who sees of a vehicle's past only where they drove themselves: nobody keeps totals of that. */
export const isDriver = ({ role }: Viewer): boolean => role === 'driver';

function withoutHours({ hours: _, ...figures }: DayTotals): Omit<DayTotals, 'hours'> {
  return figures;
}
