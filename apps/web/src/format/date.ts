import { dateFormat } from './locale.ts';

/** A calendar day has no time zone, so it is parsed and formatted as UTC. */
const calendar = () => dateFormat({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

const months = () => dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' });

const midnight = (isoDate: string): Date => new Date(`${isoDate}T00:00:00Z`);

/** `2026-11-19` in the user's language: `Nov 19, 2026`, `19 nov. 2026`. */
export const formatDate = (isoDate: string): string => calendar().format(midnight(isoDate));

/** The day of a moment, for what may be years away: `Nov 19, 2026`. */
export const formatDateOf = (ms: number): string => formatDate(isoDateOf(ms));

/** `Nov 2026`, where the day doesn't matter. */
export const formatMonth = (isoDate: string): string => months().format(midnight(isoDate));

const ISO_DATE = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
} as const;

/** The calendar day of a moment, in the user's time zone unless another is given: `2026-11-19`. */
export function isoDateOf(ms: number, timeZone?: string): string {
  const parts = new Map(
    dateFormat({ ...ISO_DATE, timeZone })
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
}

/** Whether the text is a complete, valid calendar day. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

export const dayAfter = (isoDate: string): string =>
  new Date(Date.parse(`${isoDate}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** Whole days from one calendar day to another. Negative if `to` is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
