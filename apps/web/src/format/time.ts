import { dayAfter, isoDateOf } from './date.ts';
import { dateFormat } from './locale.ts';

const hourMinute = () => dateFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayParts = () => dateFormat({ weekday: 'short', day: 'numeric', month: 'short' });
const zoneName = () => dateFormat({ timeZoneName: 'short' });

/** `14:02`, in the reader's zone. */
export const formatTime = (ms: number): string => hourMinute().format(ms);

/** The day as the reader's language writes it: `Thu, Nov 19`, `jeu. 19 nov.`. */
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

/** The time alone today, with the day before it otherwise: `14:02`, `Thu, Nov 19 14:02`. */
export function formatMoment(ms: number, nowMs: number): string {
  return startOfDay(ms) === startOfDay(nowMs) ? formatTime(ms) : `${formatDay(ms)} ${formatTime(ms)}`;
}

/** The zone that the times are in: `EST`, `GMT+1`. */
export const formatZone = (ms: number): string =>
  zoneName()
    .formatToParts(ms)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** Midnight of the reader's zone; a day may have 23 or 25 hours. */
export const startOfDay = (ms: number): number => midnightOf(isoDateOf(ms));

export const endOfDay = (ms: number): number => midnightOf(dayAfter(isoDateOf(ms)));

/** The moment at which a calendar day (`2026-11-19`) begins in the reader's zone. */
export function midnightOf(isoDate: string): number {
  const asUtc = Date.parse(`${isoDate}T00:00:00Z`);
  // The offset of that moment, then that of the moment so found: they differ around a change of the clock.
  const first = asUtc - offsetAt(asUtc);
  const second = asUtc - offsetAt(first);
  if (first === second || isoDateOf(second) === isoDate) return second;
  // Where clocks jump over midnight the day begins with the jump.
  return Math.max(first, second);
}

/** The moment of an hour on the clock of a moment's day, whatever the clock did in the night. */
export const hourOfDay = (ms: number, hour: number): number =>
  momentOf(`${isoDateOf(ms)}T${String(hour).padStart(2, '0')}:00`) ?? ms;

const WALL_CLOCK = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** What stands in a field for day and time, of a moment in the reader's zone: `2026-11-19T14:02`. */
export const wallClock = (ms: number): string => new Date(ms + offsetAt(ms)).toISOString().slice(0, 16);

/** The moment that such a field means; null for none. */
export function momentOf(text: string): number | null {
  const asUtc = WALL_CLOCK.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return null;
  const first = asUtc - offsetAt(asUtc);
  return asUtc - offsetAt(first);
}

/** How far the reader's clocks are ahead of UTC, in ms. */
function offsetAt(ms: number): number {
  const parts = new Map(
    dateFormat(CLOCK)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const wall = new Date(0);
  // Not Date.UTC, to which a year that is still being typed, 20, is 1920.
  wall.setUTCFullYear(of('year'), of('month') - 1, of('day'));
  wall.setUTCHours(of('hour'), of('minute'), of('second'));
  return wall.getTime() - Math.floor(ms / 1000) * 1000;
}

/** The wall clock where the reader is: `14:02:11`, 24 hours in every locale. */
export const formatClock = (ms: number): string =>
  dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(ms);
