import { dayAfter, isDay } from '../../../format/date.ts';
import { midnightOf } from '../../../format/time.ts';

/** What a request says for the first and the last day of the reader's zone; one that is not chosen is left out. */
export const daysAsked = (from: string, to: string): { readonly from?: string; readonly to?: string } => ({
  ...(isDay(from) && { from: startOf(from) }),
  ...(isDay(to) && isDay(dayAfter(to)) && { to: startOf(dayAfter(to)) }),
});

const startOf = (day: string): string => new Date(midnightOf(day)).toISOString();
