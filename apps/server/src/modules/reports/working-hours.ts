import type { Calendar } from '../history/days/calendar.ts';
import { weekdayOf } from '../history/days/day-sums.ts';

const MINUTE_MS = 60_000;
/** Clocks change before this hour of the morning. */
const CHANGED_BY = 6 * 60;
const DAY_MINUTES = 24 * 60;
const SATURDAY = 5;

export interface WorkingHours {
  /** Minutes after midnight on the clock. */
  readonly from: number;
  readonly to: number;
}

/** The moment at which the clock of a day shows a time. */
export const atMinute = (calendar: Calendar, day: number, minute: number): number =>
  minute < CHANGED_BY
    ? calendar.startOf(day) + minute * MINUTE_MS
    : calendar.startOf(day + 1) - (DAY_MINUTES - minute) * MINUTE_MS;

/** How much of [fromMs, toMs) is outside of working hours, weekends included. */
export function msOutside(calendar: Calendar, hours: WorkingHours, fromMs: number, toMs: number): number {
  let inside = 0;
  for (let day = calendar.dayOf(fromMs); day <= calendar.dayOf(toMs - 1); day++) {
    if (weekdayOf(day) >= SATURDAY) continue;
    const begin = Math.max(fromMs, atMinute(calendar, day, hours.from));
    const end = Math.min(toMs, atMinute(calendar, day, hours.to));
    inside += Math.max(0, end - begin);
  }
  return toMs - fromMs - inside;
}
