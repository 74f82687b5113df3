import type { Calendar } from '../history/days/calendar.ts';

/** Days of the account, both included. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

export const lengthOf = ({ from, to }: Period): number => to - from + 1;

/** As long, and right before. */
export const previousOf = (period: Period): Period => ({ from: period.from - lengthOf(period), to: period.from - 1 });

export const asDates = ({ from, to }: Period, calendar: Calendar) => ({
  from: calendar.dateOf(from),
  to: calendar.dateOf(to),
});

export const daysOf = ({ from, to }: Period): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, nth) => from + nth);
