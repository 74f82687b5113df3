import { dateOf, homeDays, zoneNamed } from '@milepost/hos';
import { type EpochMs, epochMs } from '@milepost/units';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The days of an account, from midnight to midnight in its time zone; 23 or 25 hours long twice a year. */
export interface Calendar {
  readonly zone: string;
  /** Days since 1970-01-01. */
  dayOf(atMs: number): number;
  startOf(day: number): EpochMs;
  /** `2026-11-19`, and back. */
  dateOf(day: number): string;
  numberOf(date: string): number;
  /** Adds the seconds of [from, to) to `hours`, by hour of the local clock. */
  addHours(hours: number[], fromMs: number, toMs: number): void;
}

export function calendarOf(zone: string): Calendar {
  const { dayOf, startOf } = homeDays({ timeZone: zone, startOfDay: 0 });
  const hourAt = (atMs: number): number => {
    const wall = atMs + (zoneNamed(zone)?.offsetAt(epochMs(atMs)) ?? 0);
    return Math.floor((((wall % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS);
  };
  return {
    zone,
    startOf,
    dateOf,
    dayOf: atMs => dayOf(epochMs(atMs)),
    numberOf: date => Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS),
    addHours: (hours, fromMs, toMs) => {
      const day = dayOf(epochMs(fromMs));
      const start = startOf(day);
      const isPlain = startOf(day + 1) - start === DAY_MS;
      for (let at = fromMs; at < toMs; ) {
        const nth = Math.floor((at - start) / HOUR_MS);
        const end = Math.min(start + (nth + 1) * HOUR_MS, toMs);
        const hour = isPlain ? nth : hourAt(at);
        hours[hour] = (hours[hour] ?? 0) + (end - at) / 1000;
        at = end;
      }
    },
  };
}
