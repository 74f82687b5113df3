import { type Degrees, degrees, type EpochMs, epochMs, toKnots } from '@milepost/units';
import { momentOf, twoDigits } from './calendar.ts';
import type { PositionMessage } from './protocol.ts';

/** Coordinates and times in NMEA 0183 notation, which many trackers use. */

/** Degrees and minutes; some trackers add a minus sign, or a hyphen between the two, besides a hemisphere. */
const ANGLE = /^-?(\d{1,3})-?(\d{2}(?:\.\d{0,15})?)$/;
const SHORT = /^-?(\d{1,3})-(\d(?:\.\d{0,15})?)$/;
/** Less than one degree, without leading zeros. */
const BARE_MINUTES = /^()(\d{1,2}\.\d{3,4})$/;

/** Adds the missing decimal point: degrees, minutes and at least four decimals. */
function withPoint(text: string, degreeDigits: 2 | 3): string {
  if (!/^\d{7,10}$/.test(text)) return text;
  const after = Math.max(4, text.length - degreeDigits - 2);
  return `${text.slice(0, -after)}.${text.slice(-after)}`;
}

/**
 * Degrees and minutes (`2234.4026`, also seen as `-23-35.3408` and `22344026`) in a hemisphere; null if it is not an
 * angle.
 */
export function angleOf(text: string, hemisphere: string): Degrees | null {
  if (!/^[NSEW]$/.test(hemisphere)) return null;
  const value = unsignedAngleOf(text, hemisphere === 'N' || hemisphere === 'S' ? 2 : 3);
  if (value === null) return null;
  return degrees(hemisphere === 'S' || hemisphere === 'W' ? 0 - value : value);
}

function unsignedAngleOf(text: string, degreeDigits: 2 | 3): number | null {
  const pointed = withPoint(text, degreeDigits);
  const match = ANGLE.exec(pointed) ?? SHORT.exec(pointed) ?? BARE_MINUTES.exec(pointed);
  if (match === null) return null;
  const minutes = Number(match[2]);
  return minutes < 60 ? Number(match[1]) + minutes / 60 : null;
}

/**
 * Whole degrees, without minutes, and three decimals or more. If both angles have this form, it is theirs: as minutes
 * without leading zeros, they would all lie in the sea within two degrees of 0, 0.
 */
const DECIMAL = { lat: /^-?(\d{1,2}\.\d{3,15})$/, lon: /^-?(\d{1,3}\.\d{3,15})$/ } as const;

/** Decimal degrees (`22.573376`) in a hemisphere; null if it is not an angle. */
export function decimalAngleOf(text: string, hemisphere: string): Degrees | null {
  if (!/^[NSEW]$/.test(hemisphere)) return null;
  const isLat = hemisphere === 'N' || hemisphere === 'S';
  const value = Number(DECIMAL[isLat ? 'lat' : 'lon'].exec(text)?.[1] ?? Number.NaN);
  if (!(value <= (isLat ? 90 : 180))) return null;
  return degrees(hemisphere === 'S' || hemisphere === 'W' ? 0 - value : value);
}

/** The inverse: `degreeDigits` digits of degrees, then minutes with `decimals` decimals. */
export function angleText(angle: Degrees, degreeDigits: 2 | 3, decimals: number): string {
  const unit = 10 ** decimals;
  const steps = Math.round(Math.abs(angle) * 60 * unit);
  const whole = Math.floor(steps / (60 * unit));
  const minutes = ((steps - whole * 60 * unit) / unit).toFixed(decimals).padStart(3 + decimals, '0');
  return `${String(whole).padStart(degreeDigits, '0')}${minutes}`;
}

export const latitudeSign = (lat: Degrees): 'N' | 'S' => (lat < 0 ? 'S' : 'N');
export const longitudeSign = (lon: Degrees): 'E' | 'W' => (lon < 0 ? 'W' : 'E');

const DAY_MS = 86_400_000;

/** The moment on that day nearest to `near`, for trackers that leave out the time. */
export function dayTimeOf(date: string, order: 'dmy' | 'ymd', near: EpochMs): EpochMs | null {
  const begin = timeOf('000000', date, order);
  return begin === null ? null : epochMs(Math.min(Math.max(near, begin), begin + DAY_MS - 1));
}

/** The moment nearest to `near` with that UTC time of day, for trackers that leave out the date. */
export function clockTimeOf(clock: string, near: EpochMs): EpochMs | null {
  const today = timeOf(clock, dateText(near, 'ymd'), 'ymd');
  if (today === null) return null;
  return epochMs(today - Math.round((today - near) / DAY_MS) * DAY_MS);
}

/** Some trackers write date and time as numbers, without leading zeros: `0:05:16` is `516`. */
const NUMBER = /^\d{1,5}(?=$|\.)/;
export const withZeros = (written: string): string => written.replace(NUMBER, digits => digits.padStart(6, '0'));

const SIX_DIGITS = /^\d{6}$/;
const SINGLE_DIGITS = /(?<=^|[-/.])\d(?=[-/.]|$)/g;
const DATE_SEPARATORS = /[-/.]/g;
const LONG_YEAR = /^(\d{4})20(\d\d)$/;
const YEAR_FIRST = /^20(\d\d)(\d\d)(\d\d)$/;

/** `ddmmyy` of a date with separators, without zeros in front, or with four digits of the year, which may come first. */
export const dayFirst = (written: string): string =>
  SIX_DIGITS.test(written)
    ? written
    : withZeros(written.replace(SINGLE_DIGITS, part => part.padStart(2, '0')))
        .replace(DATE_SEPARATORS, '')
        .replace(LONG_YEAR, '$1$2')
        .replace(YEAR_FIRST, '$3$2$1');

const COLON = ':';
const FRACTION = /^\.\d*$/;

/** `hhmmss` or `hh:mm:ss` (a fraction is ignored) and `ddmmyy` or `yymmdd`, in UTC; null if they are not a valid time. */
export function timeOf(clock: string, date: string, order: 'dmy' | 'ymd'): EpochMs | null {
  const minuteAt = clock[2] === COLON ? 3 : 2;
  const secondAt = minuteAt + (clock[minuteAt + 2] === COLON ? 3 : 2);
  const end = secondAt + 2;
  if (date.length !== 6 || (clock.length > end && !FRACTION.test(clock.slice(end)))) return null;
  const [first, month, last] = [twoDigits(date, 0), twoDigits(date, 2), twoDigits(date, 4)];
  const [year, day] = order === 'dmy' ? [last, first] : [first, last];
  if (year < 0) return null;
  return momentOf(2000 + year, month, day, twoDigits(clock, 0), twoDigits(clock, minuteAt), twoDigits(clock, secondAt));
}

const two = (value: number): string => String(value).padStart(2, '0');

export function clockText(time: EpochMs): string {
  const date = new Date(time);
  return two(date.getUTCHours()) + two(date.getUTCMinutes()) + two(date.getUTCSeconds());
}

export function dateText(time: EpochMs, order: 'dmy' | 'ymd'): string {
  const date = new Date(time);
  const parts = [date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCFullYear() % 100].map(two);
  return (order === 'dmy' ? parts : parts.toReversed()).join('');
}

/** `GPRMC,…*hh` without the `$`; the checksum is the exclusive or of the characters before the asterisk. */
export function gprmcText({ time, valid, lat, lon, speed, course }: PositionMessage): string {
  const sentence = [
    'GPRMC',
    `${clockText(time)}.000`,
    valid ? 'A' : 'V',
    angleText(lat, 2, 4),
    latitudeSign(lat),
    angleText(lon, 3, 4),
    longitudeSign(lon),
    speed === null ? '' : toKnots(speed).toFixed(2),
    course === null ? '' : course.toFixed(2),
    dateText(time, 'dmy'),
    '',
    '',
    valid ? 'A' : 'N',
  ].join(',');
  let sum = 0;
  for (let i = 0; i < sentence.length; i++) sum ^= sentence.charCodeAt(i);
  return `${sentence}*${sum.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** A plain decimal number, or null. */
export const numberOf = (text: string | undefined): number | null =>
  text !== undefined && /^[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})$/.test(text.trim()) ? Number(text) : null;
