import { OTAPI_PAGE_MAX, type OtapiLocation } from '@milepost/contract';
import { AppError, invalidField } from '../../app-error.ts';
import { type ArrivalCursor, arrivalsFromNow, readCursor, writeCursor } from '../../db/arrivals.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import { arrivedPositions } from '../../tracks/arrived-positions.ts';
import { countPositions } from '../../tracks/count.ts';
import { readSpan } from '../../tracks/span.ts';
import { turn } from '../../workers/turns.ts';

/** Most positions that one call looks through. */
const LOOKED_THROUGH = 200_000;
/** Pages of a feed that are read to fill one answer, where most positions are of vehicles that the caller doesn't see. */
const PAGES = 4;

export interface Period {
  readonly from: Date;
  /** Not included. */
  readonly before: Date;
}

interface Fix {
  readonly fix_at: Date;
  readonly received_at: Date;
  readonly lat: number;
  readonly lon: number;
}

/** The standard's form: latitude and longitude, seven decimals each. */
export const locationOf = (lat: number, lon: number): string => `${lat.toFixed(7)} ${lon.toFixed(7)}`;

export const toLocation = (providerId: string, vehicleId: number, fix: Fix): OtapiLocation => ({
  id: `${vehicleId}-${fix.fix_at.getTime()}`,
  providerId,
  serverTime: fix.received_at.toISOString(),
  vehicleId: String(vehicleId),
  dateTime: fix.fix_at.toISOString(),
  location: locationOf(fix.lat, fix.lon),
});

export function latestLocations(session: Session, { live, visibility }: Organisation, providerId: string) {
  return visibility
    .vehicles(session)
    .toSorted((one, other) => one.id - other.id)
    .flatMap(({ id }) => {
      const { newest } = live.latestOf(id);
      if (!newest?.valid) return [];
      const { fixAt, lat, lon, receivedAt } = newest;
      return toLocation(providerId, id, { lat, lon, fix_at: new Date(fixAt), received_at: new Date(receivedAt) });
    });
}

/** Where vehicles were for sure, vehicle by vehicle. */
export async function locationsBetween(
  trx: AccountTransaction,
  vehicles: readonly DirectoryEntry[],
  period: Period,
  isSeen: (vehicle: DirectoryEntry, rfid: string | null, atMs: number) => boolean,
  providerId: string,
): Promise<OtapiLocation[]> {
  const counts = await countPositions(
    trx,
    vehicles.map(({ id }) => id),
    period,
  );
  if ([...counts.values()].reduce((sum, count) => sum + count, 0) > LOOKED_THROUGH) {
    throw new AppError('answer-too-large');
  }
  const found: OtapiLocation[] = [];
  for (const vehicle of vehicles) {
    if (!counts.get(vehicle.id)) continue;
    const fixes = await readSpan(
      trx,
      { vehicleId: vehicle.id, ...period },
      { columns: ['lat', 'lon', 'received_at', 'rfid'], isBelieved: true },
    );
    for (const fix of fixes) {
      if (isSeen(vehicle, fix.rfid, fix.fix_at.getTime())) found.push(toLocation(providerId, vehicle.id, fix));
    }
    await turn();
  }
  return found;
}

/** The cursor that a token stands for; from now on without one. */
export async function cursorOf(
  trx: AccountTransaction,
  token: string | undefined,
  nowMs: number,
): Promise<ArrivalCursor> {
  if (token === undefined || token === '' || token === 'null') return arrivalsFromNow(trx, nowMs);
  const cursor = readCursor(token);
  if (!cursor) throw unknownToken();
  return cursor;
}

export const unknownToken = (): AppError => invalidField('token', 'invalid');

/** What has come in since the token was given: of vehicles in sight, where they were for sure. */
export async function arrivedLocations(
  trx: AccountTransaction,
  session: Session,
  token: string | undefined,
  { directory, visibility }: Organisation,
  providerId: string,
) {
  const nowMs = Date.now();
  let cursor = await cursorOf(trx, token, nowMs);
  const data: OtapiLocation[] = [];
  const seen = new Map<number, DirectoryEntry>();
  for (let pages = 0; pages < PAGES && data.length < OTAPI_PAGE_MAX; pages++) {
    const arrived = await arrivedPositions(trx, cursor, OTAPI_PAGE_MAX - data.length, nowMs);
    if (!arrived) throw unknownToken();
    for (const row of arrived.rows) {
      if (!row.valid || row.doubts !== 0) continue;
      const vehicle = directory.findById(row.vehicle_id);
      if (!visibility.sees(session, vehicle)) continue;
      if (!visibility.seesPosition(session, vehicle, row.rfid, row.fix_at.getTime())) continue;
      seen.set(vehicle.id, vehicle);
      data.push(toLocation(providerId, vehicle.id, row));
    }
    cursor = arrived.next;
    if (!arrived.hasMore) break;
    await turn();
  }
  return { token: writeCursor(cursor), data };
}
