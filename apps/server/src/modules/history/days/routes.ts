import { readFleetDay } from '@milepost/contract';
import type { Context } from '../../../context.ts';
import type { DirectoryEntry } from '../../../fleet/directory.ts';
import type { Visibility } from '../../../fleet/visibility.ts';
import type { Http } from '../../../http/server.ts';
import { cardDay } from './card-day.ts';
import type { DailyFigures } from './daily-figures.ts';
import { isInUse } from './day-sums.ts';
import type { DayTotals } from './totals.ts';

/** Longer than counting new positions takes; a fleet that is still loading is reported as far as it is counted. */
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
    // No totals are stored for a vehicle that the user sees only in part.
    const [whole, inPart] = [true, false].map(held =>
      vehicles.filter(vehicle => visibility.holdsVehicle(session, vehicle) === held),
    ) as [DirectoryEntry[], DirectoryEntry[]];
    const isSeen = (vehicle: DirectoryEntry, rfid: string | null, atMs: number): boolean =>
      visibility.seesPosition(session, vehicle, rfid, atMs);
    const totals = await db.asAccount(
      session.accountId,
      async trx =>
        new Map([
          ...(await figures.ofDay(trx, whole, day, nowMs)),
          ...(await cardDay(trx, inPart, { fromMs, toMs, nowMs, calendar }, isSeen)),
        ]),
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
        isInUse: isInUse(totals.get(id) as DayTotals),
        isBehind: figures.manager.isBehind(id, nowMs),
      })),
    };
  });
}

function withoutHours({ hours: _, ...figures }: DayTotals): Omit<DayTotals, 'hours'> {
  return figures;
}
