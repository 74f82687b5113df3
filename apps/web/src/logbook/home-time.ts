import { dateFormat } from '../format/locale.ts';

/** Times of a log are in the time zone of the driver's home terminal. */

/** `14:02` in the terminal's time zone. */
export const homeTime = (ms: number, timeZone: string): string =>
  dateFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(ms);

/** `14:02:11`, as in a record. */
export const homeClock = (ms: number, timeZone: string): string =>
  dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZone }).format(ms);

/** `Wed, Nov 18 14:02` */
export const homeMoment = (ms: number, timeZone: string): string =>
  `${dateFormat({ weekday: 'short', day: 'numeric', month: 'short', timeZone }).format(ms)} ${homeTime(ms, timeZone)}`;

/** The same in a sentence, where it must not break between its words. */
export const momentInSentence = (ms: number, timeZone: string): string =>
  homeMoment(ms, timeZone).replaceAll(' ', '\u00a0');

/** The zone's short name at that time: `CST`. */
export const homeZone = (ms: number, timeZone: string): string => zoneName(ms, { timeZone }) || timeZone;

/** `UTC−06:00`: how far the terminal's clocks are from UTC at that time. */
export const homeOffset = (ms: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(ms)
    .map(({ type, value }) => (type === 'timeZoneName' ? value.replace('GMT', 'UTC').replace('-', '\u2212') : ''))
    .join('');

const zoneName = (ms: number, zone: { readonly timeZone?: string }): string =>
  dateFormat({ timeZoneName: 'short', ...zone })
    .formatToParts(ms)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** The short name of the zone of all other times on the screen; null while the terminal's clocks show the same. */
export function otherZone(ms: number, timeZone: string): string | null {
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return dateFormat(clock).format(ms) === homeTime(ms, timeZone) ? null : zoneName(ms, {});
}

/** The hour in the terminal's time zone, 0 to 23. */
export const homeHour = (ms: number, timeZone: string): number =>
  Number(dateFormat({ hour: '2-digit', hourCycle: 'h23', numberingSystem: 'latn', timeZone }).format(ms)) % 24;

/** `2026-11-18`: the calendar day in a time zone. A driver’s first screen doesn’t load `format/date.ts`. */
export function homeDate(ms: number, timeZone: string): string {
  const parts = new Map(
    dateFormat({
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      timeZone,
    })
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
}

/** A log's date with its weekday: `Wed, Nov 18`. */
export const logDate = (date: string, withYear = false): string =>
  dateFormat({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(withYear && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(Date.parse(`${date}T00:00:00Z`));

const MINUTE_MS = 60_000;

/**
 * The moment in a day's log at which the terminal's clocks show `HH:MM`; the first one if they show it twice, null if
 * never.
 */
export function momentOnDay(
  { from, to, timeZone }: { readonly from: string; readonly to: string; readonly timeZone: string },
  time: string,
): number | null {
  for (let ms = Date.parse(from); ms < Date.parse(to); ms += MINUTE_MS) {
    if (homeTime(ms, timeZone) === time) return ms;
  }
  return null;
}

/** `05:10`, or `Fri, Nov 27 05:10` on another day; with the terminal's zone if the viewer's clock shows another time. */
export function homeWhen(ms: number, nowMs: number, timeZone: string): string {
  const isToday = homeDate(ms, timeZone) === homeDate(nowMs, timeZone);
  const words = isToday ? homeTime(ms, timeZone) : homeMoment(ms, timeZone);
  return otherZone(ms, timeZone) === null ? words : `${words} ${homeZone(ms, timeZone)}`;
}
