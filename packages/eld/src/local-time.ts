import type { HomeTerminal } from '@milepost/hos';
import { type EpochMs, epochMs } from '@milepost/units';

/**
 * Time at the home terminal, in which records are kept (Appendix A, 4.4.3). A driver's day is the 24-hour period that
 * starts at the hour which the carrier has set (49 CFR 395.2, 395.8(d)); on the days of daylight saving it has 23 or
 * 25 hours.
 */

export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const formats = new Map<string, Intl.DateTimeFormat | null>();

function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  let format: Intl.DateTimeFormat | null = null;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    // No such zone.
  }
  // The world has some 600 zones; whoever asks for more asks for nonsense.
  if (formats.size < 1000) formats.set(zone, format);
  return format;
}

export const isZone = (zone: string): boolean => formatOf(zone) !== null;

/** The clock on the wall. A zone that does not exist is read as UTC: `isZone` is the door. */
export function localTime(at: EpochMs, zone: string): LocalTime {
  const fields = { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
  const parts = (formatOf(zone) ?? formatOf('UTC'))?.formatToParts(at) ?? [];
  for (const { type, value } of parts) if (type in fields) fields[type as keyof LocalTime] = Number(value);
  return fields;
}

/** The wall clock minus UTC, in milliseconds: −6 h in Chicago’s winter. */
export function zoneOffset(at: EpochMs, zone: string): number {
  const { year, month, day, hour, minute, second } = localTime(at, zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/** The date (`2026-02-03`) of the driver's day that a moment belongs to: the one on which that day began. */
export function dayOf(at: EpochMs, { timeZone, startOfDay }: HomeTerminal): string {
  const { year, month, day, hour, minute } = localTime(at, timeZone);
  const beforeStart = hour * 60 + minute < startOfDay;
  return isoDate(Date.UTC(year, month - 1, day) - (beforeStart ? DAY_MS : 0));
}

/** When a driver's day begins. In a spring night whose start hour does not exist, the next hour that does. */
export function startOfDate(date: string, { timeZone, startOfDay }: HomeTerminal): EpochMs {
  const wall = Date.parse(`${date}T00:00:00Z`) + startOfDay * 60_000;
  // The offset before a change and the one after are both tried: the right one reproduces the wall clock.
  for (const around of [wall - DAY_MS / 2, wall + DAY_MS / 2]) {
    const at = wall - zoneOffset(epochMs(around), timeZone);
    if (at + zoneOffset(epochMs(at), timeZone) === wall) return epochMs(at);
  }
  return epochMs(wall - zoneOffset(epochMs(wall - DAY_MS / 2), timeZone));
}

export const isoDate = (utc: number): string => new Date(utc).toISOString().slice(0, 10);
/** Another date, so many days later. */
export const addDays = (date: string, days: number): string => isoDate(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS);

const two = (value: number): string => String(value).padStart(2, '0');

/** `MMDDYY` (7.8) and `HHMMSS` (7.40) at the home terminal. */
export function fileDateAndTime(at: EpochMs, zone: string): { readonly date: string; readonly time: string } {
  const { year, month, day, hour, minute, second } = localTime(at, zone);
  return {
    date: two(month) + two(day) + two(year % 100),
    time: two(hour) + two(minute) + two(second),
  };
}

/** `2026-02-03` as `MMDDYY`. */
export const fileDate = (date: string): string => date.slice(5, 7) + date.slice(8, 10) + date.slice(2, 4);

/** Hours behind UTC as the file writes them, without a sign (7.41): `06`. */
export const fileOffset = (at: EpochMs, zone: string): string =>
  two(Math.round(Math.abs(zoneOffset(at, zone)) / HOUR_MS));
