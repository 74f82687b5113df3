import {
  type Leg as LegAnswer,
  listLegs,
  listStops,
  listTrips,
  type RouteAnswer,
  TRIPS_MAX_DAYS,
} from '@milepost/contract';
import { type Leg, type LegPart, meanSpeed, odometerDistance } from '@milepost/geo';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { DirectoryEntry } from '../../../fleet/directory.ts';
import type { DrivingNow } from '../../../fleet/driving.ts';
import type { Visibility } from '../../../fleet/visibility.ts';
import type { Http } from '../../../http/server.ts';
import type { Session } from '../../../http/session.ts';
import { nearOf, type ReportContext } from '../../../ingest/report.ts';
import { isLateBetween } from '../../../projections/late.ts';
import { DAY_MS } from '../days/calendar.ts';
import type { DailyFigures } from '../days/daily-figures.ts';
import { CATCH_UP_TIMEOUT_MS } from '../days/routes.ts';
import { legsBetween, partsKept, partsSeen } from './trips.ts';

export interface TripParts {
  readonly driving: Pick<DrivingNow, 'during'>;
  readonly visibility: Visibility;
  readonly figures: DailyFigures;
  readonly reportContext: ReportContext;
}

interface Period {
  readonly from: string;
  readonly to: string;
}

export function registerTrips(
  http: Http,
  { db }: Context,
  { driving, figures, visibility, reportContext }: TripParts,
): void {
  const legsOf = async (session: Session, deviceId: string, query: Period): Promise<RouteAnswer<typeof listLegs>> => {
    const [fromMs, toMs] = [Date.parse(query.from), Date.parse(query.to)];
    if (toMs - fromMs > TRIPS_MAX_DAYS * DAY_MS) throw new AppError('range-too-long', { days: TRIPS_MAX_DAYS });
    const vehicle = visibility.vehicle(session, Number(deviceId));
    const { accountId, id } = vehicle;
    const isKept = visibility.holdsVehicle(session, vehicle);
    if (isKept) await figures.manager.catchUp(accountId, [id], CATCH_UP_TIMEOUT_MS);
    const calendar = figures.calendar(accountId);
    const nowMs = Date.now();
    const isSeen = (rfid: string | null, atMs: number): boolean =>
      visibility.seesPosition(session, vehicle, rfid, atMs);
    const period = { fromMs, toMs: Math.min(toMs, nowMs) };
    const [legs, isLate] = await db.asAccount(accountId, async trx => {
      const source = isKept
        ? partsKept(trx, figures, vehicle, calendar, nowMs)
        : partsSeen(trx, id, calendar, nowMs, isSeen);
      return [await legsBetween(source, calendar, period), isKept && (await isLateBetween(trx, id, period))];
    });
    const throughMs = isKept ? figures.manager.throughMs(id) : null;
    return {
      isBehind: isLate || (isKept && figures.manager.isBehindBefore(id, period.toMs)),
      countedTo: throughMs === null || isLate ? null : iso(throughMs),
      legs: legs.map(leg => ({
        ...answerOf(vehicle, leg, reportContext, driving),
        isUnderWay: leg.to === nowMs,
        days: leg.parts.map(part => ({ date: calendar.dateOf(calendar.dayOf(part.from)), ...sumsOf(part) })),
      })),
    };
  };

  http.handle(listLegs, ({ session, params, query }) => legsOf(session, params.id, query));
  http.handle(listTrips, async ({ session, query }) => {
    const { legs, ...counted } = await legsOf(session, query.deviceId, query);
    return { ...counted, trips: legs.filter(({ kind }) => kind === 'trip') };
  });
  http.handle(listStops, async ({ session, query }) => {
    const { legs, ...counted } = await legsOf(session, query.deviceId, query);
    return { ...counted, stops: legs.filter(({ kind }) => kind === 'stop') };
  });
}

function answerOf(
  vehicle: DirectoryEntry,
  leg: Leg,
  { placeOf, driverOfCard }: ReportContext,
  driving: TripParts['driving'],
): Omit<LegAnswer, 'isUnderWay' | 'days'> {
  const { kind, from, to, start, end, maxSpeed, fuel, cards } = leg;
  const answerOfPlace = (place: LegPart['start']): LegAnswer['start'] => {
    if (place === null) return null;
    const { lat, lon, time } = place;
    const named = placeOf(lat, lon);
    const near = nearOf(named);
    return { at: iso(time), lat, lon, address: named?.address ?? null, ...(near && { near }) };
  };
  return {
    kind,
    from: iso(from),
    to: iso(to),
    ...sumsOf(leg),
    start: answerOfPlace(start),
    end: answerOfPlace(end),
    odometerM: odometerDistance(leg),
    maxSpeedMps: maxSpeed,
    meanSpeedMps: meanSpeed(leg),
    fuel: fuel && { start: fuel.first, end: fuel.last },
    drivers: driving
      .during(vehicle, from, to, cards)
      .map(({ driver: { id, name }, source }) => ({ id: String(id), name, source })),
    cards: cards.map(card => {
      const driver = driverOfCard(vehicle.accountId, card);
      return { card, driver: driver && { id: String(driver.id), name: driver.name } };
    }),
  };
}

const sumsOf = ({ millimetres, movingMs, idlingMs, stoppedMs, fixes }: LegPart) => ({
  distanceM: millimetres / 1000,
  movingS: movingMs / 1000,
  idlingS: idlingMs / 1000,
  stoppedS: stoppedMs / 1000,
  fixes,
});

const iso = (ms: number): string => new Date(ms).toISOString();
