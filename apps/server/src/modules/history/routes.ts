import { setImmediate } from 'node:timers/promises';
import {
  DAY_MAX_DAYS,
  HISTORY_MAX_DAYS,
  latestPositions,
  listMessages,
  listPositions,
  type PositionReport,
  readVehicleDay,
} from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { Databases } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import type { Http } from '../../http/server.ts';
import { StreamedList } from '../../http/streamed-list.ts';
import type { LiveStates } from '../../ingest/live.ts';
import { type ReportedVehicle, toPositionReport } from '../../ingest/report.ts';
import { doubtsFromBits } from '../../ingest/vehicle-state.ts';
import type { Places } from '../places/places.ts';
import type { Directory } from '../vehicles/directory.ts';
import { dayOf } from './day.ts';
import { findVehicle, newestPositions, positionsFrom } from './store.ts';

const DAY_MS = 24 * 3_600_000;
/** Positions that one look into the database brings; a slow reader holds no connection between two. */
const PAGE = 2000;
const REPORTS_A_TURN = 100;

export interface HistoryParts {
  readonly directory: Directory;
  readonly live: LiveStates;
  readonly places: Places;
}

export function registerHistory(http: Http, { db }: Context, parts: HistoryParts): void {
  const { places } = parts;
  const addressOf = ({ lat, lon }: { readonly lat: number; readonly lon: number }) => places.addressOf(lat, lon);

  http.handle(latestPositions, ({ session }) => new StreamedList(latestReports(session.accountId, parts)));

  http.handle(listPositions, async ({ session, query }) => {
    const from = new Date(query.from);
    const to = new Date(query.to);
    refuseLongerThan(HISTORY_MAX_DAYS, from, to);
    const vehicle = await vehicleOf(db, session.accountId, Number(query.deviceId));
    return new StreamedList(reportsOf(db, session.accountId, vehicle, from, to, places));
  });

  http.handle(listMessages, async ({ session, params, query }) => {
    const vehicle = await vehicleOf(db, session.accountId, Number(params.id));
    const positions = await db.asAccount(session.accountId, trx => newestPositions(trx, vehicle.id, query.limit));
    return positions.map(position => ({
      report: toPositionReport(vehicle, position, addressOf(position)),
      protocol: position.protocol,
      doubts: doubtsFromBits(position.doubts),
      attributes: position.attributes ?? {},
    }));
  });

  http.handle(readVehicleDay, async ({ session, params, query }) => {
    const from = new Date(query.from);
    const to = new Date(query.to);
    refuseLongerThan(DAY_MAX_DAYS, from, to);
    const vehicle = await vehicleOf(db, session.accountId, Number(params.id));
    return db.asAccount(session.accountId, trx => dayOf(trx, vehicle.id, from.getTime(), to.getTime(), Date.now()));
  });
}

function refuseLongerThan(days: number, from: Date, to: Date): void {
  if (to.getTime() - from.getTime() > days * DAY_MS) throw new AppError('range-too-long', { days });
}

async function vehicleOf(db: Databases, accountId: number, id: number): Promise<ReportedVehicle> {
  const vehicle = await db.asAccount(accountId, trx => findVehicle(trx, id));
  if (!vehicle) throw new AppError('not-found');
  return vehicle;
}

/** The newest report of each vehicle that was heard. Thousands of addresses take a while: others get their turn. */
async function* latestReports(
  accountId: number,
  { directory, live, places }: HistoryParts,
): AsyncGenerator<PositionReport> {
  let count = 0;
  for (const { vehicleId, newest } of live.latest(accountId)) {
    const vehicle = directory.findById(vehicleId);
    if (newest === null || vehicle?.accountId !== accountId) continue;
    yield toPositionReport(vehicle, newest, places.addressOf(newest.lat, newest.lon));
    if (++count % REPORTS_A_TURN === 0) await setImmediate();
  }
}

async function* reportsOf(
  db: Databases,
  accountId: number,
  vehicle: ReportedVehicle,
  from: Date,
  to: Date,
  places: Places,
): AsyncGenerator<PositionReport> {
  let range = { from, isFromIncluded: true, to };
  for (;;) {
    const positions = await db.asAccount(accountId, trx => positionsFrom(trx, vehicle.id, range, PAGE));
    for (const position of positions) {
      yield toPositionReport(vehicle, position, places.addressOf(position.lat, position.lon));
    }
    const last = positions.at(-1);
    if (!last || positions.length < PAGE) return;
    range = { from: new Date(last.fixAt), isFromIncluded: false, to };
  }
}
