import { dayAfter, isoDateOf } from './date.ts';
import { dateFormat } from './locale.ts';

const hourMinute = () => dateFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayParts = (timeZone?: string) => dateFormat({ weekday: 'short', day: 'numeric', month: 'short', timeZone });
const zoneName = (timeZone?: string) => dateFormat({ timeZoneName: 'short', timeZone });

/** `14:02`, in the user's time zone. */
export const formatTime = (ms: number): string => hourMinute().format(ms);

/** The day in the user's language: `Thu, Nov 19`, `jeu. 19 nov.`. */
export const formatDay = (ms: number): string => dayParts().format(ms);

const CLOCK = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  hourCycle: 'h23',
} as const;

/** Only the time if it is today, otherwise with the day: `14:02`, `Thu, Nov 19 14:02`. */
export function formatMoment(ms: number, nowMs: number): string {
  return startOfDay(ms) === startOfDay(nowMs) ? formatTime(ms) : `${formatDay(ms)} ${formatTime(ms)}`;
}

/**
 * A day of another time zone, which is named where its midnight isn't the user's: `Thu, Nov 19`, `Thu, Nov 19 (CST)`.
 */
export const formatDayIn = (ms: number, timeZone: string | undefined): string =>
  `${dayParts(timeZone).format(ms)}${zoneNote(ms, timeZone)}`;

/** ` (CST)` if the clocks of that time zone show another time than the user's; otherwise empty. */
export const zoneNote = (ms: number, timeZone: string | undefined): string =>
  offsetAt(ms, timeZone) === offsetAt(ms) ? '' : ` (${formatZone(ms, timeZone)})`;

/** The name of the time zone: `EST`, `GMT+1`. */
export const formatZone = (ms: number, timeZone?: string): string =>
  zoneName(timeZone)
    .formatToParts(ms)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** Midnight in the user's time zone, unless another is given. A day may have 23 or 25 hours. */
export const startOfDay = (ms: number, timeZone?: string): number => midnightOf(isoDateOf(ms, timeZone), timeZone);

export const endOfDay = (ms: number, timeZone?: string): number =>
  midnightOf(dayAfter(isoDateOf(ms, timeZone)), timeZone);

/** The moment when a calendar day (`2026-11-19`) starts in the user's time zone, unless another is given. */
export function midnightOf(isoDate: string, timeZone?: string): number {
  const asUtc = Date.parse(`${isoDate}T00:00:00Z`);
  // Near a clock change, the offset differs between the two moments, so it is determined twice.
  const first = asUtc - offsetAt(asUtc, timeZone);
  const second = asUtc - offsetAt(first, timeZone);
  if (first === second || isoDateOf(second, timeZone) === isoDate) return second;
  // If the clocks skip midnight, the day starts right after the skipped hour.
  return Math.max(first, second);
}

/** The moment of an hour (0–23) on the clock on the same day, even if the clocks changed that night. */
export const hourOfDay = (ms: number, hour: number): number =>
  momentOf(`${isoDateOf(ms)}T${String(hour).padStart(2, '0')}:00`) ?? ms;

const WALL_CLOCK = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** The value of a date and time field for a moment, in the user's time zone: `2026-11-19T14:02`. */
export const wallClock = (ms: number): string => new Date(ms + offsetAt(ms)).toISOString().slice(0, 16);

/** The moment for the value of such a field; null if it isn't valid. */
export function momentOf(text: string): number | null {
  const asUtc = WALL_CLOCK.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return null;
  const first = asUtc - offsetAt(asUtc);
  return asUtc - offsetAt(first);
}

/** Offset of a time zone from UTC in ms, of the user's unless another is given. Positive in the east. */
function offsetAt(ms: number, timeZone?: string): number {
  const parts = new Map(
    dateFormat({ ...CLOCK, timeZone })
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const wall = new Date(0);
  // `Date.UTC` would read the year 20, which may appear while the user is typing, as 1920.
  wall.setUTCFullYear(of('year'), of('month') - 1, of('day'));
  wall.setUTCHours(of('hour'), of('minute'), of('second'));
  return wall.getTime() - Math.floor(ms / 1000) * 1000;
}

/** The time in the user's time zone with seconds, always on a 24-hour clock: `14:02:11`. */
export const formatClock = (ms: number): string =>
  dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(ms);
