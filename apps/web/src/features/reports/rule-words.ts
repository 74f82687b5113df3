import type { ReportRule } from '@milepost/contract';
import { dateFormat } from '../../format/locale.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** `06:30`, as time fields have it. */
export const clockOf = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

/** Null while the text is incomplete. */
export function minuteOf(clock: string): number | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(clock) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** January 1, 2024 was a Monday. */
const weekdayName = (weekday: number): string =>
  dateFormat({ weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday));

export const weekdayOptions = () =>
  [1, 2, 3, 4, 5, 6, 7].map(weekday => ({ value: String(weekday), label: weekdayName(weekday) }));

export const dayOptions = () =>
  Array.from({ length: 28 }, (_, index) => ({ value: String(index + 1), label: String(index + 1) }));

/** The second part of a schedule: a weekday, a day of the month, or nothing. */
export const ruleDay = (rule: ReportRule): string =>
  rule.every === 'week' ? weekdayName(rule.weekday) : rule.every === 'month' ? String(rule.day) : '';
