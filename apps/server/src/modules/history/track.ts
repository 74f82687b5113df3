import type { TrackColumn } from '@milepost/contract';
import { trackToDraw } from '@milepost/geo';
import { END_OF_TRACKS, inTrackFile, packColumns } from '@milepost/track';
import type { Databases } from '../../db/database.ts';
import { type DayOfSpan, daysIn, pick, readPackedColumns, type SpanColumns } from '../../tracks/columns.ts';
import { turn } from '../../workers/turns.ts';

const DAY_MS = 24 * 3_600_000;
/** Days per query; other requests get a turn between queries. */
const DAYS_A_LOOK = 4;
/** Of Web Mercator (EPSG:3857), in meters. */
const EQUATOR = 40_075_016.686;
const TILE_PIXELS = 512;
/** Points closer to the line than this are invisible. */
const PIXELS = 0.5;

/** Always read: the point itself, whether it is believed, and the driver card. */
const KEPT = ['lat', 'lon', 'valid', 'doubts', 'rfid'] as const;

export interface TrackOptions {
  readonly from: Date;
  readonly to: Date;
  readonly columns: readonly TrackColumn[];
  readonly zoom: number | undefined;
  readonly isSeen: (rfid: string | null, atMs: number) => boolean;
}

/** A vehicle's track as a file of tracks, one a day (UTC). Nothing of it stays in memory. */
export async function* trackFile(
  db: Databases,
  vehicle: { readonly id: number; readonly accountId: number },
  options: TrackOptions,
): AsyncGenerator<Uint8Array> {
  const { from, to, columns } = options;
  const names = [...new Set([...KEPT, ...columns])];
  for (let start = from; start <= to; ) {
    // Cut at midnight UTC, as sealed days are.
    const next = new Date((Math.floor(start.getTime() / DAY_MS) + DAYS_A_LOOK) * DAY_MS);
    const span = { vehicleId: vehicle.id, from: start, ...(next <= to ? { before: next } : { to }) };
    const found = await db.asAccount(vehicle.accountId, trx => readPackedColumns(trx, span, names));
    for (const day of daysIn(found, span, names)) {
      await turn();
      const track = trackOf(day, options);
      if (track) yield inTrackFile(track);
    }
    start = next;
  }
  yield END_OF_TRACKS;
}

/** Of the optional columns only those that were asked for are there. */
type Found = SpanColumns<(typeof KEPT)[number]>;

/** Null if there is nothing that may be seen, or nothing to draw. */
function trackOf(day: DayOfSpan<(typeof KEPT)[number]>, { columns, isSeen, zoom }: TrackOptions): Uint8Array | null {
  const places = seenOf(day.track?.columns(['fixAt', 'rfid']) ?? day.columns(), isSeen);
  if (day.track && zoom === undefined && places === 'all') return day.track.only(columns);
  const found = day.columns();
  const seen = places === 'all' ? found : pick(found, places);
  const { rfid, ...drawn } = zoom === undefined ? seen : simplified(seen, zoom);
  return drawn.fixAt.length > 0 ? packColumns(columns.includes('rfid') ? { ...drawn, rfid } : drawn) : null;
}

function seenOf(
  { fixAt, rfid }: { readonly fixAt: readonly number[]; readonly rfid: readonly (string | null)[] },
  isSeen: TrackOptions['isSeen'],
): 'all' | number[] {
  const places: number[] = [];
  for (let i = 0; i < fixAt.length; i++) if (isSeen(rfid[i] ?? null, fixAt[i] as number)) places.push(i);
  return places.length === fixAt.length ? 'all' : places;
}

/** The points that a map at this zoom shows: only where the vehicle was for sure. */
function simplified(columns: Found, zoom: number): Found {
  const believed = believedOf(columns);
  const { fixAt, lat, lon } = believed;
  if (fixAt.length === 0) return believed;
  const aroundEarth = EQUATOR * Math.cos(((lat[lat.length >> 1] as number) * Math.PI) / 180);
  const tolerance = (PIXELS * aroundEarth) / (TILE_PIXELS * 2 ** zoom);
  return pick(believed, trackToDraw({ timeMs: fixAt, lat, lon }, tolerance));
}

function believedOf(columns: Found): Found {
  const { doubts, valid } = columns;
  const places: number[] = [];
  for (let i = 0; i < valid.length; i++) if (valid[i] && doubts[i] === 0) places.push(i);
  return places.length === valid.length ? columns : pick(columns, places);
}
