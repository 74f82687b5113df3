import {
  backtestRule,
  downloadTracks,
  findVehiclesInside,
  followEvents,
  type LookKind,
  latestPositions,
  listAlerts,
  listFrames,
  listInside,
  listLegs,
  listLooksOf,
  listMessages,
  listPositions,
  listRefusedFrames,
  listStops,
  listTaskFits,
  listTrips,
  listVehicles,
  listVisits,
  type OtapiLocation,
  type OtapiLogEvent,
  openHiddenPositions,
  otapiAvailability,
  otapiFleetLatest,
  otapiFleetLocations,
  otapiInfosFeed,
  otapiLocation,
  otapiLogEvent,
  otapiLogEventsFeed,
  otapiVehicleLocations,
  type Route,
  type RouteAnswer,
  type RouteParsed,
  readBoard,
  readExportFile,
  readFleetAt,
  readGeoJson,
  readLogDay,
  readLogExport,
  readOutputFile,
  readReportFile,
  readTrack,
  readVehicle,
  readVehicleDay,
  readVerifiableLog,
  runReport,
} from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import type { DailyFigures } from '../history/days/daily-figures.ts';
import type { About } from '../reports/report-runs.ts';
import type { Look, Period } from './ledger.ts';
import type { Seen } from './who-drove.ts';

export interface LookParts extends Organisation {
  readonly figures: DailyFigures;
  readonly db: Context['db'];
}

/** What an answer shows of drivers: the past of vehicles, vehicles where they are now, or drivers themselves. */
export interface Shown {
  readonly kind: LookKind;
  readonly seen?: readonly Seen[];
  readonly now?: Iterable<DirectoryEntry | null>;
  readonly drivers?: readonly Omit<Look, 'kind'>[];
}

export type ShownBy = (call: ShowingCall, answer: never, parts: LookParts) => Shown | Promise<Shown>;
type ShowingCall = { readonly session: Session; readonly params: never; readonly query: never; readonly body: never };

/** Routes that show where drivers are or were, and what of it each answer shows. */
export const LOOKS_OF_ROUTES: ReadonlyMap<Route, ShownBy> = new Map<Route, ShownBy>([
  by(latestPositions, ({ session }, _, { visibility }) => ({ kind: 'map', now: visibility.vehicles(session) })),
  by(listVehicles, ({ session }, _, { visibility }) => ({ kind: 'map', now: visibility.vehicles(session) })),
  // Pages read one vehicle again whenever anything about it changes.
  by(readVehicle, ({ params }, _, { directory }) => ({ kind: 'map', now: [directory.findById(Number(params.id))] })),
  by(listInside, (_, { inside }, { directory }) => ({
    kind: 'map',
    now: new Set(inside.map(({ deviceId }) => directory.findById(Number(deviceId)))),
  })),
  by(listAlerts, (_, { alerts }, { directory }) => ({
    kind: 'alerts',
    drivers: alerts.flatMap(({ deviceId, driver, lat }) => {
      const driverId = driver ? Number(driver.id) : (directory.findById(Number(deviceId))?.usualDriverId ?? null);
      return deviceId === null || lat === null || driverId === null ? [] : [{ driverId, period: null }];
    }),
  })),
  by(readBoard, (_, { rows }) => ({
    kind: 'desk',
    drivers: rows.map(({ driverId }) => ({ driverId: Number(driverId), period: null })),
  })),
  // How far each driver is from a stop that can be anywhere.
  by(listTaskFits, (_, { drivers }) => ({
    kind: 'desk',
    drivers: drivers.flatMap(({ distanceM, driver }) =>
      distanceM === null ? [] : [{ driverId: Number(driver.id), period: null }],
    ),
  })),

  by(readVehicleDay, ({ params, query }, _, parts) => ofVehicles('vehicle', [params.id], query, parts)),
  by(listMessages, ({ params }, messages, parts) => {
    const times = messages.map(({ report }) => Date.parse(`${report.reportDate}T${report.reportTime}Z`));
    return ofVehicles('vehicle', times.length === 0 ? [] : [params.id], around(times), parts);
  }),
  by(listFrames, ({ params }, frames, { directory }) => ({
    kind: 'vehicle',
    now: frames.length === 0 ? [] : [directory.findById(Number(params.id))],
  })),
  by(listRefusedFrames, ({ params }, frames, { directory }) => ({
    kind: 'vehicle',
    now: frames.length === 0 ? [] : [directory.findById(Number(params.id))],
  })),
  by(readTrack, ({ params, query }, _, parts) => ofVehicles('replay', [params.id], query, parts)),
  by(listPositions, ({ query }, _, parts) => ofVehicles('replay', [query.deviceId], query, parts)),
  by(listLegs, ({ params, query }, _, parts) => ofVehicles('trips', [params.id], query, parts)),
  by(listTrips, ({ query }, _, parts) => ofVehicles('trips', [query.deviceId], query, parts)),
  by(listStops, ({ query }, _, parts) => ofVehicles('trips', [query.deviceId], query, parts)),
  by(listVisits, ({ query }, { visits }, parts) => {
    const ids = new Set(visits.map(({ deviceId }) => deviceId));
    return ofVehicles('trips', [...ids], query, parts);
  }),
  by(readFleetAt, (_, { at, vehicles }) => {
    const period = { fromMs: Date.parse(at), toMs: Date.parse(at) };
    const shown = vehicles.filter(({ report }) => report !== null);
    return {
      kind: 'time-travel',
      drivers: shown.flatMap(({ driver }) => (driver ? [{ driverId: Number(driver.id), period }] : [])),
    };
  }),
  by(findVehiclesInside, (_, found, { directory }) => ({
    kind: 'search',
    seen: found.flatMap(({ deviceId, firstAt, lastAt }) => seenOf(directory, deviceId, { from: firstAt, to: lastAt })),
  })),
  by(backtestRule, (_, { alerts }, { directory }) => ({
    kind: 'search',
    seen: alerts.flatMap(({ deviceId, at, beganAt }) => seenOf(directory, deviceId, { from: beganAt, to: at })),
  })),
  by(runReport, (_, { isOfPositions, period, rows }, { directory, figures, ...parts }) => ({
    kind: 'report',
    seen: rows.flatMap(({ deviceId, evidence, imei }) => {
      if (deviceId === null || imei === null || (evidence === null && !isOfPositions)) return [];
      const accountId = directory.findById(Number(deviceId))?.accountId;
      const days = accountId === undefined ? null : daysOf({ figures, ...parts }, accountId, period);
      return evidence || days ? seenOf(directory, deviceId, evidence ?? isoOf(days as Period)) : [];
    }),
  })),
  by(readReportFile, async ({ params, session }, _, { roster, visibility, ...parts }) => {
    const job = await parts.db.asAccount(session.accountId, trx =>
      trx.selectFrom('job').select('about').where('id', '=', params.id).executeTakeFirstOrThrow(),
    );
    const { query } = job.about as About;
    const { folders = [], vehicles = [] } = query;
    const groups = new Set(folders.map(Number));
    const isIn = ({ folderId, id }: DirectoryEntry): boolean =>
      vehicles.includes(String(id)) || roster.isInside('folder', session.accountId, folderId, groups);
    const period = daysOf(parts, session.accountId, query);
    const seen = visibility.vehicles(session).filter(each => folders.length + vehicles.length === 0 || isIn(each));
    return { kind: 'report', seen: seen.map(vehicle => ({ vehicle, period })) };
  }),
  by(downloadTracks, ({ query }, _, parts) => ofVehicles('file', query.vehicles, query, parts)),
  by(readExportFile, ({ session }, _, { roster }) => ({
    kind: 'file',
    drivers: Array.from(roster.driversOf(session.accountId), ({ id }) => ({ driverId: id, period: null })),
  })),

  by(readLogDay, ({ params, session }, _, parts) => ({
    kind: 'log',
    drivers: [
      {
        driverId: Number(params.driverId),
        period: daysOf(parts, session.accountId, { from: params.date, to: params.date }),
      },
    ],
  })),
  by(readOutputFile, ({ query }) => ofLog(query.driverId)),
  by(readVerifiableLog, ({ query }) => ofLog(query.driverId)),
  by(readLogExport, async ({ params, session }, _, { db }) => {
    const row = await db.asAccount(session.accountId, trx =>
      trx.selectFrom('log_export').select('driver_id').where('id', '=', params.id).executeTakeFirst(),
    );
    return ofLog(row?.driver_id);
  }),
  by(openHiddenPositions, ({ body }, { drivers }) => ({
    kind: 'hidden',
    drivers: drivers.map(id => ({
      driverId: Number(id),
      period: {
        fromMs: Date.parse(body.from),
        toMs: Math.max(Date.parse(body.from), Math.min(Date.parse(body.to), Date.now())),
      },
    })),
  })),
  by(readGeoJson, ({ session }, _, { visibility }) => ({ kind: 'map', now: visibility.vehicles(session) })),
  by(followEvents, ({ session }, _, { visibility }) => ({ kind: 'map', now: visibility.vehicles(session) })),
  // The Open Telematics API.
  by(otapiFleetLatest, (_, { data }, { directory }) => ({
    kind: 'map',
    now: data.map(({ vehicleId }) => directory.findById(Number(vehicleId))),
  })),
  by(otapiFleetLocations, (_, { data }, parts) => ofLocations(data, parts)),
  by(otapiVehicleLocations, (_, { data }, parts) => ofLocations(data, parts)),
  by(otapiLocation, (_, location, parts) => ofLocations([location], parts)),
  by(otapiInfosFeed, (_, { feed }, parts) => ofLocations(feed.coarseVehicleLocationTimeHistories.data, parts)),
  by(otapiLogEvent, (_, event) => ofLogEvents([event])),
  by(otapiLogEventsFeed, (_, { feed }) => ofLogEvents(feed)),
  by(otapiAvailability, ({ params, query }) => ({
    kind: 'log',
    drivers: [{ driverId: Number(params.driverId), period: upToNow(query.startTime, query.stopTime) }],
  })),
  by(listLooksOf, ({ params }) => ({ kind: 'ledger', drivers: [{ driverId: Number(params.id), period: null }] })),
]);

function by<R extends Route>(
  route: R,
  shownBy: (
    call: RouteParsed<R> & { readonly session: Session },
    answer: RouteAnswer<R>,
    parts: LookParts,
  ) => Shown | Promise<Shown>,
): [Route, ShownBy] {
  return [route, shownBy as ShownBy];
}

function ofVehicles(
  kind: LookKind,
  ids: readonly string[],
  period: { readonly from: string; readonly to: string },
  { directory }: LookParts,
): Shown {
  return { kind, seen: ids.flatMap(id => seenOf(directory, id, period)) };
}

function ofLocations(locations: readonly OtapiLocation[], { directory }: LookParts): Shown {
  const byVehicle = Map.groupBy(locations, ({ vehicleId }) => vehicleId);
  return {
    kind: 'replay',
    seen: [...byVehicle].flatMap(([id, of]) => {
      const times = of.map(({ dateTime }) => Date.parse(dateTime)).sort((one, other) => one - other);
      return seenOf(directory, id, isoOf({ fromMs: times[0] ?? 0, toMs: times.at(-1) ?? 0 }));
    }),
  };
}

const ofLogEvents = (events: readonly OtapiLogEvent[]): Shown => ({
  kind: 'log',
  drivers: [
    ...new Set(events.flatMap(({ userId: of }) => (of.userType === 'USERTYPE_DRIVER' ? (of.userId ?? []) : []))),
  ].map(id => ({ driverId: Number(id), period: null })),
});

const upToNow = (from: string, to: string): Period => {
  const fromMs = Math.min(Date.parse(from), Date.now());
  return { fromMs, toMs: Math.max(fromMs, Math.min(Date.parse(to), Date.now())) };
};

/** A driver's own log, when none is named, is no look. */
const ofLog = (driverId: string | number | null | undefined): Shown => ({
  kind: 'log',
  drivers: driverId == null ? [] : [{ driverId: Number(driverId), period: null }],
});

function seenOf(
  directory: LookParts['directory'],
  deviceId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Seen[] {
  const vehicle = directory.findById(Number(deviceId));
  // Nobody has seen what is still to come.
  const period = { fromMs: Date.parse(from), toMs: Math.min(Date.parse(to), Date.now()) };
  return vehicle && period.fromMs <= period.toMs ? [{ vehicle, period }] : [];
}

const around = (times: readonly number[]) =>
  isoOf({ fromMs: Math.min(...times, Date.now()), toMs: times.length === 0 ? Date.now() : Math.max(...times) });

const isoOf = ({ fromMs, toMs }: Period) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
});

/** From the beginning of a day to the end of another, in the account's time zone. */
export function daysOf(
  { figures }: Pick<LookParts, 'figures'>,
  accountId: number,
  { from, to }: { readonly from: string; readonly to: string },
): Period {
  const calendar = figures.calendar(accountId);
  const fromMs = calendar.startOf(calendar.numberOf(from));
  return { fromMs, toMs: Math.max(fromMs, Math.min(calendar.startOf(calendar.numberOf(to) + 1), Date.now())) };
}
