import { Readable } from 'node:stream';
import {
  DAY_MAX_DAYS,
  downloadTracks,
  findVehiclesInside,
  HISTORY_MAX_DAYS,
  latestPositions,
  listMessages,
  listPositions,
  type PositionReport,
  readTrack,
  readVehicleDay,
} from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction, Databases } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { LiveStates } from '../../fleet/live.ts';
import type { PrivateTime } from '../../fleet/private-time.ts';
import type { Roster } from '../../fleet/roster.ts';
import { doubtsFromBits } from '../../fleet/vehicle-state.ts';
import type { Viewer, Visibility } from '../../fleet/visibility.ts';
import { FileAnswer } from '../../http/file-answer.ts';
import type { Http } from '../../http/server.ts';
import { StreamedList } from '../../http/streamed-list.ts';
import { type ReportContext, type ReportedVehicle, reportContextOf, toPositionReport } from '../../ingest/report.ts';
import { newestPositions, positionsFrom } from '../../tracks/read.ts';
import { turn } from '../../workers/turns.ts';
import type { Places } from '../places/places.ts';
import { dayOf, withPrivateTimes } from './day.ts';
import { areaOf, vehiclesInside } from './inside.ts';
import { trackFile } from './track.ts';
import { nameOf, TRACK_FILES, writtenTracks } from './track-files/track-files.ts';

const DAY_MS = 24 * 3_600_000;
/** Positions per query; a slow client holds no connection between two queries. */
const PAGE = 2000;
const REPORTS_A_TURN = 100;

export interface HistoryParts {
  readonly visibility: Visibility;
  readonly roster: Roster;
  readonly live: LiveStates;
  readonly places: Places;
  readonly privateTime: PrivateTime;
}

export function registerHistory(http: Http, { db }: Context, parts: HistoryParts): void {
  const { places, privateTime, roster, visibility } = parts;
  const reportContext = reportContextOf(places, roster);

  http.handle(latestPositions, ({ session }) => new StreamedList(latestReports(session, parts)));

  http.handle(listPositions, async ({ session, query }) => {
    const from = new Date(query.from);
    const to = new Date(query.to);
    refuseLongerThan(HISTORY_MAX_DAYS, from, to);
    const vehicle = visibility.vehicle(session, Number(query.deviceId));
    const isSeen = (rfid: string | null, atMs: number) => visibility.seesPosition(session, vehicle, rfid, atMs);
    return new StreamedList(reportsOf(db, vehicle, { from, to, isSeen }, reportContext));
  });

  http.handle(readTrack, async ({ session, params, query }) => {
    const from = new Date(query.from);
    const to = new Date(query.to);
    refuseLongerThan(HISTORY_MAX_DAYS, from, to);
    const vehicle = visibility.vehicle(session, Number(params.id));
    const isSeen = (rfid: string | null, atMs: number) => visibility.seesPosition(session, vehicle, rfid, atMs);
    const { columns, zoom } = query;
    return new FileAnswer(
      Readable.from(trackFile(db, vehicle, { from, to, columns, zoom, isSeen }), { objectMode: false }),
      { type: 'application/octet-stream' },
    );
  });

  http.handle(downloadTracks, async ({ session, query }) => {
    const { format } = query;
    const period = { from: new Date(query.from), to: new Date(query.to) };
    refuseLongerThan(HISTORY_MAX_DAYS, period.from, period.to);
    const vehicles = [...new Set(query.vehicles)].map(id => visibility.vehicle(session, Number(id)));
    const driverOf = (accountId: number, rfid: string): string | null =>
      reportContext.driverOfCard(accountId, rfid)?.name ?? null;
    const isSeen = (vehicle: DirectoryEntry, rfid: string | null, atMs: number) =>
      visibility.seesPosition(session, vehicle, rfid, atMs);
    const text = writtenTracks(db, vehicles, { format, period, isSeen, driverOf });
    return new FileAnswer(Readable.from(text, { objectMode: false }), {
      type: TRACK_FILES[format].type,
      saveAs: nameOf(vehicles, period, format),
    });
  });

  http.handle(findVehiclesInside, async ({ session, body }) => {
    const period = { from: new Date(body.from), to: new Date(body.to) };
    refuseLongerThan(HISTORY_MAX_DAYS, period.from, period.to);
    const area = await areaOf(db, session.accountId, body.area);
    const found = await vehiclesInside(db, session.accountId, visibility.vehicles(session), {
      area,
      period,
      isSeen: (vehicle, rfid, atMs) => visibility.seesPosition(session, vehicle, rfid, atMs),
    });
    return found.map(({ vehicleId, firstMs, lastMs }) => ({
      deviceId: String(vehicleId),
      firstAt: new Date(firstMs).toISOString(),
      lastAt: new Date(lastMs).toISOString(),
    }));
  });

  http.handle(listMessages, async ({ session, params, query }) => {
    const vehicle = visibility.vehicle(session, Number(params.id));
    const to = query.at === undefined ? undefined : new Date(query.at);
    const positions = await db.asAccount(session.accountId, trx => newestPositions(trx, vehicle.id, query.limit, to));
    const seen = positions.filter(({ fixAt, rfid }) => visibility.seesPosition(session, vehicle, rfid, fixAt));
    return seen.map(position => ({
      report: toPositionReport(vehicle, position, reportContext),
      protocol: position.protocol,
      doubts: doubtsFromBits(position.doubts),
      attributes: position.attributes ?? {},
    }));
  });

  http.handle(readVehicleDay, async ({ session, params, query }) => {
    const from = new Date(query.from);
    const to = new Date(query.to);
    refuseLongerThan(DAY_MAX_DAYS, from, to);
    const vehicle = visibility.vehicle(session, Number(params.id));
    const isSeen = (rfid: string | null, atMs: number) => visibility.seesPosition(session, vehicle, rfid, atMs);
    const stretch = { fromMs: from.getTime(), toMs: to.getTime(), isSeen };
    const nowMs = Date.now();
    return db.asAccount(session.accountId, async trx => {
      const day = await dayOf(trx, vehicle.id, stretch, nowMs);
      if (!privateTime.isUsed(session.accountId) || !visibility.holdsVehicle(session, vehicle)) return day;
      const cards = [null, ...(await hiddenCards(trx, vehicle.id, from, to))];
      const spans = privateTime.times(vehicle, stretch.fromMs, Math.min(stretch.toMs, nowMs), cards);
      return { ...day, segments: withPrivateTimes(day.segments, spans) };
    });
  });
}

/** Whose private time it was: the cards in positions that it hides. */
async function hiddenCards(trx: AccountTransaction, vehicleId: number, from: Date, to: Date): Promise<string[]> {
  const rows = await trx
    .selectFrom('private_position')
    .select('rfid')
    .distinct()
    .where('vehicle_id', '=', vehicleId)
    .where('fix_at', '>=', from)
    .where('fix_at', '<', to)
    .execute();
  return rows.flatMap(({ rfid }) => rfid ?? []);
}

function refuseLongerThan(days: number, from: Date, to: Date): void {
  if (to.getTime() - from.getTime() > days * DAY_MS) throw new AppError('range-too-long', { days });
}

/** The newest report of each vehicle that has reported. Thousands of addresses take a while, so others get a turn. */
async function* latestReports(
  viewer: Viewer,
  { visibility, roster, live, places }: HistoryParts,
): AsyncGenerator<PositionReport> {
  const reportContext = reportContextOf(places, roster);
  let count = 0;
  for (const vehicle of visibility.vehicles(viewer)) {
    const { newest } = live.latestOf(vehicle.id);
    if (newest === null) continue;
    yield toPositionReport(vehicle, newest, reportContext);
    if (++count % REPORTS_A_TURN === 0) await turn();
  }
}

async function* reportsOf(
  db: Databases,
  vehicle: ReportedVehicle,
  {
    from,
    to,
    isSeen,
  }: { readonly from: Date; readonly to: Date; readonly isSeen: (rfid: string | null, atMs: number) => boolean },
  reportContext: ReportContext,
): AsyncGenerator<PositionReport> {
  let range = { from, isFromIncluded: true, to };
  for (;;) {
    const positions = await db.asAccount(vehicle.accountId, trx => positionsFrom(trx, vehicle.id, range, PAGE));
    for (const position of positions) {
      if (isSeen(position.rfid, position.fixAt)) yield toPositionReport(vehicle, position, reportContext);
    }
    const last = positions.at(-1);
    if (!last || positions.length < PAGE) return;
    range = { from: new Date(last.fixAt), isFromIncluded: false, to };
  }
}
