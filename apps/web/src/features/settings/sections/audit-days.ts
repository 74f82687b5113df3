import { dayAfter, isDay } from '../../../format/date.ts';
import { midnightOf } from '../../../format/time.ts';

/** The audit query's range for a first and last day in the user's time zone; a day that isn't chosen is left out. */
export const daysAsked = (from: string, to: string): { readonly from?: string; readonly to?: string } => ({
  ...(isDay(from) && { from: startOf(from) }),
  ...(isDay(to) && isDay(dayAfter(to)) && { to: startOf(dayAfter(to)) }),
});

const startOf = (day: string): string => new Date(midnightOf(day)).toISOString();
