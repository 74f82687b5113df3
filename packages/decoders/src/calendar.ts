import { type EpochMs, epochMs } from '@milepost/units';

const LONGEST_MONTH = 31;
const SHORTEST_MONTH = 28;

/** A date and a time of day in UTC; null if the calendar or the clock has none. */
export function momentOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): EpochMs | null {
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= LONGEST_MONTH;
  const isClock = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
  if (!isDate || !isClock) return null;
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  return day <= SHORTEST_MONTH || new Date(time).getUTCDate() === day ? epochMs(time) : null;
}

/** The two digits at `at`; -1 if there are none. */
export function twoDigits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}
