import { type Degrees, degrees, type EpochMs, fromKilometresPerHour, metres } from '@milepost/units';
import type { PositionMessage } from '../protocol.ts';
import { readCell, readNumber, readTime } from './text-fields.ts';

/**
 * The position, which is the same in every report: accuracy, speed, azimuth, altitude, longitude, latitude, GPS UTC
 * time, MCC, MNC, LAC, cell. The fields before and after it differ by report and model, so it is found by its form: a
 * longitude and a latitude with decimals (six in the documents) followed by a time.
 */
export type Place = Pick<
  PositionMessage,
  'time' | 'valid' | 'lat' | 'lon' | 'speed' | 'course' | 'altitude' | 'hdop'
> & {
  readonly cell: string | null;
  /** Index of the first field (the accuracy) and of the first after the cell. */
  readonly from: number;
  readonly to: number;
};

const LONGITUDE = /^[+-]?\d{1,3}\.\d{4,15}$/;
const LATITUDE = /^[+-]?\d{1,2}\.\d{4,15}$/;
const LEADING = 4;
/** "GPS accuracy": 1 to 50. In its place may be the number of a caller (GTLBC). */
const WORST_ACCURACY = 50;
const FIELDS = 11;

export function placesIn(fields: readonly string[], from: number): Place[] {
  const places: Place[] = [];
  for (let i = from + LEADING; i + 2 < fields.length; i++) {
    if (!isExact(fields, i) && !isRound(fields, i)) continue;
    const time = readTime(fields[i + 2]);
    if (time === null) continue;
    places.push(placeAt(fields, i - LEADING, time));
    i += 2;
  }
  return places;
}

/**
 * Without the positions of a report with several that have no fix: an accuracy, empty fields up to the time, a tower.
 * Otherwise the fields behind the last one, which are the report's, would not be found.
 */
export function withoutBlank(fields: readonly string[], from: number): readonly string[] {
  const starts = placesIn(fields, from).map(place => place.from);
  if (starts.length === 0) return fields;
  const blanks = fields.flatMap((_, at) => (at >= from && isBlank(fields, at) ? [at] : []));
  if (blanks.length === 0) return fields;
  const all = [...starts, ...blanks].sort((a, b) => a - b);
  const width = (all[1] ?? 0) - (all[0] ?? 0);
  if (width !== FIELDS && width !== FIELDS + 1) return fields;
  return fields.filter((_, i) => !blanks.some(at => i >= at && i < at + width));
}

const TIME = 6;
const isBlank = (fields: readonly string[], at: number): boolean =>
  /^\d{0,2}$/.test(fields[at] ?? '') &&
  fields.slice(at + 1, at + TIME + 1).every(text => text === '') &&
  readCell(fields, at + TIME + 1) !== null;

/** Whether coordinates are there, even without a readable time. */
export const hasCoordinates = (fields: readonly string[]): boolean => fields.some((_, at) => isExact(fields, at));

const isExact = (fields: readonly string[], at: number): boolean =>
  LONGITUDE.test(fields[at] ?? '') && LATITUDE.test(fields[at + 1] ?? '');

const DECIMAL = /^[+-]?\d{1,3}\.\d{1,15}$/;
const NUMBER = /^(?:[+-]?\d+(?:\.\d+)?)?$/;
const COUNTRY = /^(?:0?\d{3})?$/;
/** At the end of a report: send time, count number. */
const TRAILER = 2;

/** Without the zeros at the end, a coordinate may have any number of decimals; the fields around it must fit then. */
function isRound(fields: readonly string[], at: number): boolean {
  const [lon = '', lat = ''] = [fields[at], fields[at + 1]];
  if (!DECIMAL.test(lon) || !DECIMAL.test(lat) || at + 2 >= fields.length - TRAILER) return false;
  if (Math.abs(Number(lon)) > 180 || Math.abs(Number(lat)) > 90 || !COUNTRY.test(fields[at + 3] ?? '')) return false;
  return fields.slice(at - LEADING, at).every(text => NUMBER.test(text));
}

function placeAt(fields: readonly string[], from: number, time: EpochMs): Place {
  const [accuracy, speed, azimuth, altitude] = [0, 1, 2, 3].map(i => readNumber(fields[from + i]));
  const degree = (i: number): Degrees => degrees(Number(fields[from + i]));
  return {
    time,
    // "GPS accuracy": the HDOP, or 0 if the fix failed and the position is the last known one.
    valid: accuracy === null || accuracy !== 0,
    hdop: accuracy && accuracy <= WORST_ACCURACY ? accuracy : null,
    lon: degree(4),
    lat: degree(5),
    speed: speed == null ? null : fromKilometresPerHour(speed),
    course: azimuth == null ? null : degrees(azimuth),
    altitude: altitude == null ? null : metres(altitude),
    cell: readCell(fields, from + 7),
    from,
    to: from + FIELDS,
  };
}
