import { type Degrees, degrees, type EpochMs, fromKilometresPerHour, type MetresPerSecond } from '@milepost/units';
import { momentOf, twoDigits } from '../calendar.ts';

/**
 * Fields common to all reports with a position: date and time, then latitude, longitude, speed, course, satellites,
 * fix.
 */
export interface Place {
  readonly time: EpochMs;
  readonly lat: Degrees;
  readonly lon: Degrees;
  readonly speed: MetresPerSecond | null;
  readonly course: Degrees | null;
  /** Index of the latitude. */
  readonly at: number;
  /** Index of the date. */
  readonly dateAt: number;
}

export const number = (text: string | undefined): number | null =>
  text !== undefined && /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
export const hexNumber = (text: string | undefined): number | null =>
  text !== undefined && /^[0-9A-F]{1,8}$/i.test(text) ? Number.parseInt(text, 16) : null;

const DATE = /^20\d\d(-?)\d\d\1\d\d$/;
const CLOCK = /^\d\d:\d\d:\d\d$/;
const ANGLE = /^[+-]?\d{1,3}\.\d{4,15}$/;
export const isAngle = (text: string): boolean => ANGLE.test(text);

const MOST_TEXT = 512;
/** Of a report that is kept as sent. */
export const reportText = (fields: readonly string[]): string => fields.join(';').slice(0, MOST_TEXT);

/** Date and time, and the index of the date. */
export function readMoment(fields: readonly string[]): { readonly time: EpochMs; readonly at: number } | null {
  const at = fields.findIndex((text, i) => DATE.test(text) && CLOCK.test(fields[i + 1] ?? ''));
  const time = at < 0 ? null : readTime(fields[at] ?? '', fields[at + 1] ?? '');
  return time === null ? null : { time, at };
}

export function readPlace(fields: readonly string[]): Place | null {
  const moment = readMoment(fields);
  if (moment === null) return null;
  const { time, at: dateAt } = moment;
  const at = fields.findIndex((text, i) => i > dateAt && ANGLE.test(text) && ANGLE.test(fields[i + 1] ?? ''));
  if (at < 0) return null;
  const [speed, course] = [number(fields[at + 2]), number(fields[at + 3])];
  return {
    time,
    lat: degrees(Number(fields[at])),
    lon: degrees(Number(fields[at + 1])),
    speed: speed === null ? null : fromKilometresPerHour(speed),
    course: course === null ? null : degrees(course),
    at,
    dateAt,
  };
}

/** `20yymmdd`, also with dashes, and `hh:mm:ss`. */
export function readTime(written: string, clock: string): EpochMs | null {
  const date = written.replaceAll('-', '');
  const year = twoDigits(date, 2);
  if (date.length !== 8 || clock.length !== 8 || year < 0) return null;
  const [month, day] = [twoDigits(date, 4), twoDigits(date, 6)];
  return momentOf(2000 + year, month, day, twoDigits(clock, 0), twoDigits(clock, 3), twoDigits(clock, 6));
}

/** `724-11-4EDA-…`: MCC, MNC, area and cell, the last two in hexadecimal; all zeros mean no tower. */
export function readCell(cell: string | undefined, mcc?: string, mnc?: string, lac?: string): string | null {
  const [id, area] = [hexNumber(cell), hexNumber(lac)];
  const [country, network] = [number(mcc), number(mnc)];
  return id === null || area === null || country === null || country === 0 || network === null
    ? null
    : `${country}-${network}-${area}-${id}`;
}

/** RXLEV 0–63 (dBm above −110, 3GPP TS 45.008) on the scale of `+CSQ` (3GPP TS 27.007). */
export function csqOf(level: number | null): number | null {
  if (level === null || level < 0 || level > 99) return null;
  return Math.max(0, Math.min(31, Math.round((level + 3) / 2)));
}
