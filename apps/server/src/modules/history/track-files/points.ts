import { isTrackGap } from '@milepost/geo';
import { degrees } from '@milepost/units';
import type { Databases } from '../../../db/database.ts';
import type { DirectoryEntry } from '../../../fleet/directory.ts';
import { readColumns, type SpanColumns } from '../../../tracks/columns.ts';
import { turn } from '../../../workers/turns.ts';

const DAY_MS = 24 * 3_600_000;
/** Points are read and lines are written in pieces of so many, so that memory doesn't grow with them. */
const PIECE_POINTS = 1000;

const COLUMNS = [
  'lat',
  'lon',
  'speed',
  'course',
  'altitude',
  'odometer',
  'fuel',
  'temperature',
  'ignition',
  'satellites',
  'hdop',
  'gsm',
  'event',
  'rfid',
  'valid',
  'doubts',
  'late',
] as const;

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** A report in SI units; null where the tracker said nothing. */
export interface TrackPoint {
  readonly timeMs: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number | null;
  readonly course: number | null;
  readonly altitude: number | null;
  readonly odometer: number | null;
  readonly fuel: number | null;
  readonly temperature: number | null;
  readonly ignition: boolean | null;
  readonly satellites: number | null;
  readonly hdop: number | null;
  readonly gsm: number | null;
  readonly event: string | null;
  readonly rfid: string | null;
  readonly valid: boolean;
  readonly doubts: number;
  readonly late: boolean;
}

/**
 * What a vehicle sent in a period, both ends included, as far as the reader may see it. A day (UTC) is read at a time, and
 * handed on in pieces, so that the points of a whole day are never objects at once.
 */
export async function* pointsOf(
  db: Databases,
  vehicle: DirectoryEntry,
  { from, to }: Period,
  isSeen: (vehicle: DirectoryEntry, rfid: string | null, atMs: number) => boolean,
): AsyncGenerator<readonly TrackPoint[]> {
  for await (const found of daysOf(db, vehicle, { from, to }, COLUMNS)) {
    for (let at = 0; at < found.fixAt.length; at += PIECE_POINTS) {
      const points: TrackPoint[] = [];
      for (let i = at; i < Math.min(found.fixAt.length, at + PIECE_POINTS); i++) {
        if (isSeen(vehicle, found.rfid[i] ?? null, found.fixAt[i] as number)) points.push(pointAt(found, i));
      }
      if (points.length > 0) yield points;
    }
  }
}

/** What a vehicle sent, as columns: each day (UTC) of which there is anything, oldest first. */
export async function* daysOf<N extends (typeof COLUMNS)[number]>(
  db: Databases,
  vehicle: DirectoryEntry,
  { from, to }: Period,
  names: readonly N[],
): AsyncGenerator<SpanColumns<N>> {
  for (let start = from; start <= to; ) {
    const next = new Date((Math.floor(start.getTime() / DAY_MS) + 1) * DAY_MS);
    const span = { vehicleId: vehicle.id, from: start, ...(next <= to ? { before: next } : { to }) };
    const found = await db.asAccount(vehicle.accountId, trx => readColumns(trx, span, names));
    await turn();
    if (found.fixAt.length > 0) yield found;
    start = next;
  }
}

function pointAt(found: SpanColumns<(typeof COLUMNS)[number]>, i: number): TrackPoint {
  return {
    timeMs: found.fixAt[i] as number,
    lat: found.lat[i] as number,
    lon: found.lon[i] as number,
    speed: found.speed[i] ?? null,
    course: found.course[i] ?? null,
    altitude: found.altitude[i] ?? null,
    odometer: found.odometer[i] ?? null,
    fuel: found.fuel[i] ?? null,
    temperature: found.temperature[i] ?? null,
    ignition: found.ignition[i] ?? null,
    satellites: found.satellites[i] ?? null,
    hdop: found.hdop[i] ?? null,
    gsm: found.gsm[i] ?? null,
    event: found.event[i] ?? null,
    rfid: found.rfid[i] ?? null,
    valid: found.valid[i] === true,
    doubts: found.doubts[i] as number,
    late: found.late[i] === true,
  };
}

/** A part of a line; if it isn't the first of its line, it begins with the last point of the one before. */
export interface LinePiece {
  /** A new line begins, because it isn't known where the vehicle was in between. */
  readonly isNewLine: boolean;
  readonly points: readonly TrackPoint[];
}

/** Where the vehicle was for sure, as lines that end where there was silence. */
export async function* linesOf(pages: AsyncIterable<readonly TrackPoint[]>): AsyncGenerator<LinePiece> {
  let part: TrackPoint[] = [];
  let isNewLine = true;
  for await (const page of pages) {
    for (const point of page) {
      if (!point.valid || point.doubts !== 0) continue;
      const last = part.at(-1);
      if (last && isTrackGap(placeOf(last), placeOf(point))) {
        yield { isNewLine, points: part };
        [part, isNewLine] = [[], true];
      } else if (last && part.length > PIECE_POINTS) {
        yield { isNewLine, points: part };
        [part, isNewLine] = [[last], false];
      }
      part.push(point);
    }
  }
  if (part.length > 0) yield { isNewLine, points: part };
}

/** A vehicle's track to be written; read as it is written. */
export interface VehicleTrack {
  readonly vehicle: DirectoryEntry;
  /** Every report. */
  readonly pages: () => AsyncIterable<readonly TrackPoint[]>;
  /** Where it was for sure. */
  readonly lines: () => AsyncIterable<LinePiece>;
  /** The name of the driver with this card. */
  readonly driverOf: (rfid: string) => string | null;
}

const placeOf = ({ lat, lon, timeMs }: TrackPoint) => ({ lat: degrees(lat), lon: degrees(lon), timeMs });

export const iso = (ms: number): string => new Date(ms).toISOString();

/** Coordinates with as many digits as any tracker counts: a centimeter. */
export function coordinate(value: number): string {
  const rounded = Math.round(value * 1e7) / 1e7;
  // A decimal of XML Schema has no exponent.
  return Math.abs(rounded) < 1e-6 && rounded !== 0 ? rounded.toFixed(7) : String(rounded);
}

/** What its last digits say is not noise of a shorter number. */
export const figure = (value: number, steps = 100): number => Math.round(value * steps) / steps;

const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** A text in XML 1.0, without the characters that it can't have. */
export const inXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, '')
    .replace(/[&<>"']/g, found => ENTITIES[found] as string);
