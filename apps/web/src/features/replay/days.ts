import { dayAfter, isoDateOf } from '../../format/date.ts';
import { endOfDay, midnightOf, startOfDay } from '../../format/time.ts';
import type { Range } from './address.ts';

/** The account's time zone; undefined until it is known, when the user's counts. */
type Zone = string | undefined;

/** The account's day of a moment. */
export const dayOf = (ms: number, zone: Zone): Range => ({ fromMs: startOfDay(ms, zone), toMs: endOfDay(ms, zone) });

export const rangeOfDay = (date: string, zone: Zone): Range => ({
  fromMs: midnightOf(date, zone),
  toMs: midnightOf(dayAfter(date), zone),
});

/**
 * The range of the same length before or after this one. A whole day is followed by the next day, even when daylight
 * saving changes.
 */
export function neighborOf({ fromMs, toMs }: Range, direction: 1 | -1, zone: Zone): Range {
  if (isWholeDay({ fromMs, toMs }, zone)) return dayOf(direction === 1 ? toMs : fromMs - 1, zone);
  const length = toMs - fromMs;
  return { fromMs: fromMs + direction * length, toMs: toMs + direction * length };
}

export const isWholeDay = ({ fromMs, toMs }: Range, zone: Zone): boolean =>
  startOfDay(fromMs, zone) === fromMs && endOfDay(fromMs, zone) === toMs;

/** The days of a month. */
export function monthOf(date: string): readonly string[] {
  const days: string[] = [];
  for (let day = `${date.slice(0, 7)}-01`; day.startsWith(date.slice(0, 7)); day = dayAfter(day)) days.push(day);
  return days;
}

/** Column of a day in the calendar, from 1. Weekdays count from 1, Monday, to 7, Sunday. */
export const columnOf = (date: string, firstWeekday: number): number =>
  ((new Date(`${date}T00:00:00Z`).getUTCDay() - (firstWeekday % 7) + 7) % 7) + 1;

/** The first day of the month this many months later. */
export function monthLater(date: string, by: number): string {
  const [year, month] = date.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month - 1 + by, 1)).toISOString().slice(0, 10);
}

export const today = (zone: Zone): string => isoDateOf(Date.now(), zone);
