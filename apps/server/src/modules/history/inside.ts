import type { findVehiclesInside, GeofenceShape, RouteParsed } from '@milepost/contract';
import { compileFence, type FenceArea, isTrackGap, type TimedPlace } from '@milepost/geo';
import { degrees } from '@milepost/units';
import { AppError } from '../../app-error.ts';
import type { Databases } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import { readColumns } from '../../tracks/columns.ts';
import { daysNear } from '../../tracks/near.ts';
import { toFenceShape } from '../../watching/fence-shape.ts';
import { turn } from '../../workers/turns.ts';
import { refuseImpossibleShape } from '../geofences/shapes.ts';

const DAY_MS = 24 * 3_600_000;

type Asked = RouteParsed<typeof findVehiclesInside>['body']['area'];

/** The drawn area, or that of a geofence of the account. */
export async function areaOf(db: Databases, accountId: number, asked: Asked): Promise<FenceArea> {
  if (!('geofenceId' in asked)) {
    refuseImpossibleShape(asked);
    return compileFence(toFenceShape(asked));
  }
  const row = await db.asAccount(accountId, trx =>
    trx.selectFrom('geofence').select('shape').where('id', '=', Number(asked.geofenceId)).executeTakeFirst(),
  );
  if (!row) throw new AppError('not-found');
  return compileFence(toFenceShape(row.shape as GeofenceShape));
}

export interface InsideOptions {
  readonly area: FenceArea;
  /** Both ends included. */
  readonly period: { readonly from: Date; readonly to: Date };
  readonly isSeen: (vehicle: DirectoryEntry, rfid: string | null, atMs: number) => boolean;
}

interface Found {
  readonly vehicleId: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * Which of these vehicles were inside, in the order in which they came. Only days whose bounds touch the area are read:
 * those of packed days stand in their heads, those of the other days are counted by the database.
 */
export async function vehiclesInside(
  db: Databases,
  accountId: number,
  vehicles: readonly DirectoryEntry[],
  { area, period, isSeen }: InsideOptions,
): Promise<Found[]> {
  const days = await db.asAccount(accountId, trx =>
    daysNear(
      trx,
      vehicles.map(({ id }) => id),
      area.bounds,
      period,
    ),
  );
  const found: Found[] = [];
  for (const vehicle of vehicles) {
    const times: Omit<Found, 'vehicleId'>[] = [];
    for (const day of days.get(vehicle.id) ?? []) {
      const at = await insideOnDay(db, vehicle, day, { area, period, isSeen });
      if (at) times.push(at);
    }
    const [first, last] = [times[0], times.at(-1)];
    if (first && last) found.push({ vehicleId: vehicle.id, firstMs: first.firstMs, lastMs: last.lastMs });
  }
  return found.sort((a, b) => a.firstMs - b.firstMs);
}

const COLUMNS = ['lat', 'lon', 'valid', 'doubts', 'rfid'] as const;

/** The first and last moment inside; between two reports on the straight line between them, not across silence. */
async function insideOnDay(
  db: Databases,
  vehicle: DirectoryEntry,
  day: string,
  { area, period, isSeen }: InsideOptions,
): Promise<Omit<Found, 'vehicleId'> | null> {
  const begin = Date.parse(`${day}T00:00:00Z`);
  const from = new Date(Math.max(begin, period.from.getTime()));
  const to = new Date(Math.min(begin + DAY_MS - 1, period.to.getTime()));
  const { fixAt, lat, lon, valid, doubts, rfid } = await db.asAccount(vehicle.accountId, trx =>
    readColumns(trx, { vehicleId: vehicle.id, from, to }, COLUMNS),
  );
  await turn();
  let [firstMs, lastMs] = [Number.NaN, Number.NaN];
  let last: TimedPlace | null = null;
  for (const [i, timeMs] of fixAt.entries()) {
    if (!valid[i] || doubts[i] !== 0 || !isSeen(vehicle, rfid[i] ?? null, timeMs)) continue;
    const at = { lat: degrees(lat[i] as number), lon: degrees(lon[i] as number), timeMs };
    const before: TimedPlace = last !== null && !isTrackGap(last, at) ? last : at;
    last = at;
    for (const [start, end] of before === at ? partAt(area, at) : area.inside(before, at)) {
      const lasted = timeMs - before.timeMs;
      if (Number.isNaN(firstMs)) firstMs = Math.ceil(before.timeMs + start * lasted);
      lastMs = Math.floor(before.timeMs + end * lasted);
    }
  }
  return Number.isNaN(firstMs) ? null : { firstMs, lastMs: Math.max(firstMs, lastMs) };
}

const partAt = (area: FenceArea, at: TimedPlace): readonly (readonly [number, number])[] =>
  area.signedDistance(at) <= 0 ? [[0, 1]] : [];
