import { may, readFleetPeriod } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import { fleetSums } from '../history/days/day-sums.ts';
import type { DayParts } from '../history/days/routes.ts';
import { alertsByVehicle } from './alert-counts.ts';
import { asDates, askedPeriod, daysOf, secondsOver } from './period.ts';

/** The figures of each vehicle that the overview adds up. */
export function registerFleetPeriod(http: Http, { db }: Context, { figures, visibility }: DayParts): void {
  http.handle(readFleetPeriod, async ({ session, query }) => {
    // A driver only sees a vehicle's data from when they drove it, and stored sums can't be split like that.
    if (session.role === 'driver') throw new AppError('not-allowed');
    const { accountId } = session;
    // For a vehicle visible only because of its current driver, only part of each day is visible, so it is left out.
    const vehicles = visibility.vehicles(session).filter(vehicle => visibility.holdsVehicle(session, vehicle));
    const ids = vehicles.map(({ id }) => id);
    const period = await askedPeriod(figures, accountId, ids, query);
    const calendar = figures.calendar(accountId);
    const nowMs = Date.now();
    const { sums, alerts } = await db.asAccount(accountId, async trx => {
      const range = { from: period.from, detailFrom: period.from, to: period.to, nowMs };
      const sums = await fleetSums(trx, figures, vehicles, range);
      const known = { from: Math.max(period.from, sums.since ?? period.from), to: period.to };
      return {
        sums: sums.vehicles,
        alerts: may(session, 'alerts.read') ? await alertsByVehicle(trx, ids, known, calendar) : null,
      };
    });
    return {
      zone: calendar.zone,
      period: asDates(period, calendar),
      until: new Date(nowMs).toISOString(),
      behind: ids.filter(id => figures.manager.isBehind(id, nowMs)).length,
      daySeconds: daysOf(period).map(day => secondsOver(calendar, day, nowMs)),
      vehicles: sums.map(({ vehicleId, since, ...of }) => ({
        ...of,
        deviceId: String(vehicleId),
        since: since === null ? null : calendar.dateOf(since),
        alerts: alerts && (alerts.get(vehicleId) ?? 0),
      })),
    };
  });
}
