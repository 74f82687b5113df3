import { OVERVIEW_MAX_DAYS } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Calendar } from '../history/days/calendar.ts';
import type { DailyFigures } from '../history/days/daily-figures.ts';
import { CATCH_UP_TIMEOUT_MS } from '../history/days/routes.ts';

/** Days in the account's time zone, both included. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

export const lengthOf = ({ from, to }: Period): number => to - from + 1;

/** The period of the same length right before. */
export const previousOf = (period: Period): Period => ({ from: period.from - lengthOf(period), to: period.from - 1 });

export const asDates = ({ from, to }: Period, calendar: Calendar) => ({
  from: calendar.dateOf(from),
  to: calendar.dateOf(to),
});

export const daysOf = ({ from, to }: Period): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, nth) => from + nth);

/** The seconds of a day that have passed. */
export const secondsOver = (calendar: Calendar, day: number, nowMs: number): number =>
  Math.max(0, Math.min(calendar.startOf(day + 1), nowMs) - calendar.startOf(day)) / 1000;

/** The requested days, once the vehicles' figures include their latest reports. */
export async function askedPeriod(
  figures: DailyFigures,
  accountId: number,
  vehicleIds: readonly number[],
  dates: { readonly from: string; readonly to: string },
): Promise<Period> {
  await figures.manager.catchUp(accountId, vehicleIds, CATCH_UP_TIMEOUT_MS);
  const calendar = figures.calendar(accountId);
  const period = { from: calendar.numberOf(dates.from), to: calendar.numberOf(dates.to) };
  if (lengthOf(period) > OVERVIEW_MAX_DAYS) throw new AppError('range-too-long', { days: OVERVIEW_MAX_DAYS });
  return period;
}
