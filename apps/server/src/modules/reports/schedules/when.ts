import type { ReportPeriod, ReportRule, Settings } from '@milepost/contract';
import type { Calendar } from '../../history/days/calendar.ts';
import { weekdayOf } from '../../history/days/day-sums.ts';
import { atMinute } from '../working-hours.ts';

/** A month has no more days, and a day on which the clocks change is still one. */
const DAYS_AHEAD = 32;

/** The next moment after this one at which a rule is due, on the clock of the account's zone. */
export function nextAt(calendar: Calendar, rule: ReportRule, afterMs: number): number {
  const today = calendar.dayOf(afterMs);
  for (let day = today; day <= today + DAYS_AHEAD; day++) {
    const at = atMinute(calendar, day, rule.minute);
    if (at > afterMs && isDue(calendar, rule, day)) return at;
  }
  throw new RangeError('No day is due');
}

function isDue(calendar: Calendar, rule: ReportRule, day: number): boolean {
  if (rule.every === 'week') return weekdayOf(day) === rule.weekday - 1;
  return rule.every === 'day' || Number(calendar.dateOf(day).slice(8)) === rule.day;
}

/** The days of a period as seen from a day. */
export function daysOfPeriod(
  calendar: Calendar,
  period: ReportPeriod,
  today: number,
  firstWeekday: Settings['firstWeekday'],
): { readonly from: number; readonly to: number } {
  switch (period) {
    case 'yesterday':
      return { from: today - 1, to: today - 1 };
    case 'seven':
      return { from: today - 7, to: today - 1 };
    case 'thirty':
      return { from: today - 30, to: today - 1 };
    case 'nextThirty':
      return { from: today, to: today + 30 };
    case 'lastWeek': {
      const week = today - ((weekdayOf(today) - (firstWeekday - 1) + 7) % 7);
      return { from: week - 7, to: week - 1 };
    }
    case 'lastMonth': {
      const month = calendar.numberOf(`${calendar.dateOf(today).slice(0, 7)}-01`);
      return { from: calendar.numberOf(`${calendar.dateOf(month - 1).slice(0, 7)}-01`), to: month - 1 };
    }
  }
}
