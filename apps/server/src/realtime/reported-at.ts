import { type EpochMs, epochMs } from '@milepost/units';

/** Of `2026-11-20` and `12:30:05` in UTC; null for a day or an hour that no calendar has, which `Date` would roll over. */
export function reportedAt(date: string, time: string): EpochMs | null {
  const [year, month, day] = [number(date, 0) * 100 + number(date, 2), number(date, 5), number(date, 8)];
  const [hour, minute, second] = [number(time, 0), number(time, 3), number(time, 6)];
  if (hour > 23 || minute > 59 || second > 59) return null;
  // Every month has 28 days. `Date.UTC` takes years below 100 for those of the twentieth century.
  if (year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= 28) {
    return epochMs(Date.UTC(year, month - 1, day, hour, minute, second));
  }
  const text = `${date}T${time}`;
  const moment = Date.parse(`${text}Z`);
  if (Number.isNaN(moment) || !new Date(moment).toISOString().startsWith(text)) return null;
  return epochMs(moment);
}

const ZERO = 48;

/** Of two digits. */
const number = (text: string, at: number): number => (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
