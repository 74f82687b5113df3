import { Reader, viewOf } from '../bytes.ts';
import type { DecodedMessage } from '../protocol.ts';
import { angleOf, DATE_LINE, NORTH_POLE } from './angle.ts';
import { LOCATION_BYTES, readLocation } from './location.ts';
import { readTime } from './time.ts';

/**
 * Finds the body of a location under an undocumented id, after a few bytes of the maker's own. Other bytes look like
 * one, with two coordinates, a speed, a course and a time in packed decimals, only once in billions.
 */
const MOST_BEFORE = 24;
const AT = { lat: 8, lon: 12, speed: 18, course: 20, time: 22 } as const;
/** Tenths of km/h. */
const FASTEST = 4000;
/** A course read as a year and a month gives 2000 or 2001. */
export const EARLIEST = Date.UTC(2008, 0);

function isLocation(bytes: Uint8Array, at: number): boolean {
  const view = viewOf(bytes);
  const lat = Math.abs(angleOf(view.getUint32(at + AT.lat), NORTH_POLE, false));
  const lon = Math.abs(angleOf(view.getUint32(at + AT.lon), DATE_LINE, false));
  if (lat === 0 || lon === 0 || lat > NORTH_POLE || lon > DATE_LINE) return false;
  if (view.getUint16(at + AT.speed) > FASTEST || view.getUint16(at + AT.course) > 360) return false;
  const time = readTime(new Reader(bytes, at + AT.time));
  return time !== null && time >= EARLIEST;
}

/** The offset where it begins; null if there is none. */
export const locationBegin = (body: Reader): number | null => nextBegin(body, body.at, body.at + MOST_BEFORE);

function nextBegin({ bytes, end }: Reader, from: number, to: number): number | null {
  const last = Math.min(end - LOCATION_BYTES, to);
  for (let at = from; at <= last; at++) if (isLocation(bytes, at)) return at;
  return null;
}

export function findLocation(body: Reader): DecodedMessage | null {
  const at = locationBegin(body);
  return at === null ? null : readLocation(new Reader(body.bytes, at, body.end));
}

/** All of them, wherever the others are behind the first; each has the items up to the next. */
export function findLocations(body: Reader): DecodedMessage[] {
  const begins: number[] = [];
  for (let at = locationBegin(body); at !== null; at = nextBegin(body, at + LOCATION_BYTES, body.end)) begins.push(at);
  return begins.flatMap((begin, i) => readLocation(new Reader(body.bytes, begin, begins[i + 1] ?? body.end)) ?? []);
}
