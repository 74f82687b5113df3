import { may, NO_SUMS, type Overview, type RouteParsed, readOverview } from '@milepost/contract';
import { agedBy } from '@milepost/geo';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Http } from '../../http/server.ts';
import type { Session } from '../../http/session.ts';
import { alertsInSight } from '../alerts/in-sight.ts';
import type { DailyFigures } from '../history/days/daily-figures.ts';
import { fleetSums, weekdayOf } from '../history/days/day-sums.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { alertsByDay, openAlerts, watchedSince } from './alert-counts.ts';
import { detentionOf } from './detention.ts';
import { doNext } from './do-next.ts';
import { driverDocuments, subscriptionEnds, vehicleDocuments } from './expiring-documents.ts';
import { driverCounts, statusCounts, vehiclesNow } from './fleet-now.ts';
import { asDates, askedPeriod, daysOf, type Period, previousOf, secondsOver } from './period.ts';
import { type MeasuredDay, tilesOf } from './tiles.ts';

type Query = RouteParsed<typeof readOverview>['query'];

export interface OverviewParts extends Organisation {
  readonly figures: DailyFigures;
}

/** The same as in the registry's filter. */
const SUBSCRIPTION_ENDS_SOON_DAYS = 30;

/** The fleet overview for managers: now, over a period, and what to do next. */
export function registerOverview(http: Http, { db }: Context, parts: OverviewParts): void {
  const { figures } = parts;

  http.handle(readOverview, async ({ session, query }) => {
    // A driver only sees a vehicle's data from when they drove it, and fleet figures can't be split like that.
    if (session.role === 'driver') throw new AppError('not-allowed');
    const vehicles = await db.asAccount(session.accountId, trx => chosenVehicles(trx, session, query, parts));
    const ids = vehicles.map(({ id }) => id);
    const period = await askedPeriod(figures, session.accountId, ids, query);
    return db.asAccount(session.accountId, trx => overviewOf(trx, { session, query, parts, vehicles, period }));
  });
}

/** The visible vehicles in the folder whose driver is in the department. */
async function chosenVehicles(
  trx: AccountTransaction,
  session: Session,
  { folderId, departmentId }: Query,
  { visibility, roster, driving }: OverviewParts,
): Promise<DirectoryEntry[]> {
  let vehicles = visibility.vehicles(session);
  const { accountId } = session;
  // A folder or department is not found unless the caller holds it or sees a vehicle in it.
  const refuseUnseen = (kind: 'folder' | 'department', id: number, found: readonly DirectoryEntry[]): void => {
    if (found.length === 0 && !visibility.holds(kind, session, id)) throw new AppError('not-found');
  };
  if (folderId !== undefined) {
    const chosen = new Set([Number(folderId)]);
    if (!(await trx.selectFrom('folder').select('id').where('id', '=', Number(folderId)).executeTakeFirst())) {
      throw new AppError('not-found');
    }
    vehicles = vehicles.filter(({ folderId: of }) => roster.isInside('folder', accountId, of, chosen));
    refuseUnseen('folder', Number(folderId), vehicles);
  }
  if (departmentId !== undefined) {
    const chosen = new Set([Number(departmentId)]);
    if (!(await trx.selectFrom('department').select('id').where('id', '=', Number(departmentId)).executeTakeFirst())) {
      throw new AppError('not-found');
    }
    vehicles = vehicles.filter(vehicle => {
      const of = driving.of(vehicle)?.driver.departmentId ?? null;
      return roster.isInside('department', accountId, of, chosen);
    });
    refuseUnseen('department', Number(departmentId), vehicles);
  }
  return vehicles;
}

interface Asked {
  readonly session: Session;
  readonly query: Query;
  readonly parts: OverviewParts;
  readonly vehicles: readonly DirectoryEntry[];
  readonly period: Period;
}

async function overviewOf(trx: AccountTransaction, asked: Asked): Promise<Overview> {
  const { session, query, parts, vehicles, period } = asked;
  const { figures } = parts;
  const nowMs = Date.now();
  const calendar = figures.calendar(session.accountId);
  const today = calendar.dayOf(nowMs);
  const before = previousOf(period);
  const ids = vehicles.map(({ id }) => id);
  const { settings } = await readAccountSettings(trx);
  const range = { from: before.from, detailFrom: period.from, to: period.to, nowMs };
  // For a vehicle visible only because of its current driver, only part of each day is visible, so it is left out.
  const counted = vehicles.filter(vehicle => parts.visibility.holdsVehicle(session, vehicle));
  const sums = await fleetSums(trx, figures, counted, range);
  const seesAlerts = may(session, 'alerts.read');
  const countedIds = counted.map(({ id }) => id);
  const alertDays = seesAlerts
    ? await alertsByDay(trx, countedIds, { from: before.from, to: period.to }, calendar)
    : null;

  const isKnown = (day: number): boolean => sums.since !== null && day >= sums.since && day <= today;
  const dayOf = (day: number): MeasuredDay | null =>
    isKnown(day)
      ? {
          ...(sums.days.get(day) ?? NO_SUMS),
          days: 1,
          vehicleDays: counted.length,
          vehicleSeconds: counted.length * secondsOver(calendar, day, nowMs),
          alerts: alertDays && (alertDays.get(day) ?? 0),
        }
      : null;
  const ways = (of: Period): (number | null)[] => daysOf(of).map(day => dayOf(day)?.distanceM ?? null);
  const standing = await standingOf(trx, asked, { nowMs, date: calendar.dateOf(today), sums: sums.vehicles, settings });

  return {
    zone: calendar.zone,
    today: calendar.dateOf(today),
    period: asDates(period, calendar),
    previous: asDates(before, calendar),
    until: new Date(nowMs).toISOString(),
    since: sums.since === null ? null : calendar.dateOf(sums.since),
    behind: ids.filter(id => figures.manager.isBehind(id, nowMs)).length,
    vehicles: vehicles.length,
    passing: vehicles.length - counted.length,
    ...standing,
    tiles: tilesOf({
      period,
      today,
      dayOf,
      watchedSince: await watchedSince(trx, session.accountId, calendar),
      settings,
      isWhole: query.folderId === undefined && query.departmentId === undefined,
    }),
    detention: await detentionOf(trx, {
      ...{ session, period, calendar, nowMs },
      before: sums.since !== null && sums.since <= before.from ? before : null,
      vehicles: counted,
      currency: settings.currency,
    }),
    distance: { days: ways(period), previousDays: ways(before) },
    hours: meanHours(sums.hours, daysOf(period).filter(isKnown), today, nowMs - calendar.startOf(today)),
  };
}

interface Moment {
  readonly nowMs: number;
  readonly date: string;
  readonly sums: Parameters<typeof doNext>[0]['sums'];
  readonly settings: Awaited<ReturnType<typeof readAccountSettings>>['settings'];
}

/** The current state, and the findings from it. */
async function standingOf(
  trx: AccountTransaction,
  { session, query, parts, vehicles }: Asked,
  { nowMs, date, sums, settings }: Moment,
): Promise<Pick<Overview, 'now' | 'doNext'>> {
  const ids = vehicles.map(({ id }) => id);
  const now = vehiclesNow(vehicles, parts, nowMs, agedBy(settings));
  const within = { date, withinDays: settings.warnBeforeExpiryDays };
  const isPart = query.folderId !== undefined || query.departmentId !== undefined;
  const drivenBy = new Set(now.map(({ driverId }) => driverId));
  const drivers = may(session, 'drivers.read')
    ? (await driversInSight(trx, session, parts)).filter(id => !isPart || drivenBy.has(id))
    : null;
  const alerts = may(session, 'alerts.read')
    ? await openAlerts(trx, session, await alertsInSight(trx, session, vehicles, parts.visibility, true))
    : null;
  const documents = await vehicleDocuments(trx, ids, within);
  const ofDrivers = drivers === null ? [] : await driverDocuments(trx, drivers, within);
  const subscriptions = may(session, 'subscriptions.read')
    ? await subscriptionEnds(trx, ids, nowMs, SUBSCRIPTION_ENDS_SOON_DAYS)
    : null;
  const statuses = statusCounts(now);
  return {
    now: {
      statuses,
      drivers: drivers && driverCounts(now, drivers),
      alerts: alerts?.counts ?? null,
      silent: statuses.offline ?? 0,
      documentsEnding: documents.length + ofDrivers.length,
      subscriptionsEnding: subscriptions?.length ?? null,
    },
    doNext: doNext({
      now,
      sums,
      alerts: alerts?.alerts ?? [],
      vehicleDocuments: documents,
      driverDocuments: ofDrivers,
      subscriptions: subscriptions ?? [],
    }),
  };
}

async function driversInSight(
  trx: AccountTransaction,
  session: Session,
  { visibility }: OverviewParts,
): Promise<number[]> {
  const rows = await trx
    .selectFrom('driver')
    .select(['id', 'department_id', 'user_id'])
    .where('archived', '=', false)
    .execute();
  return rows
    .filter(row => visibility.seesDriver(session, { id: row.id, departmentId: row.department_id, userId: row.user_id }))
    .map(({ id }) => id);
}

/**
 * Converts seconds on the road to the mean number of vehicles on the road; null for hours that are not in the period.
 */
function meanHours(
  hours: readonly (readonly number[])[],
  days: readonly number[],
  today: number,
  overMs: number,
): (number | null)[][] {
  return hours.map((row, weekday) =>
    row.map((seconds, hour) => {
      const over = (day: number): number => (day < today ? 1 : Math.max(0, Math.min(1, overMs / 3_600_000 - hour)));
      const count = days.filter(day => weekdayOf(day) === weekday).reduce((sum, day) => sum + over(day), 0);
      return count === 0 ? null : seconds / 3600 / count;
    }),
  );
}
