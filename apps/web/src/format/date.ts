import { dateFormat } from './locale.ts';

/** A calendar day has no zone: it is read and written as UTC. */
const calendar = () => dateFormat({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

const months = () => dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' });

const midnight = (isoDate: string): Date => new Date(`${isoDate}T00:00:00Z`);

/** `2026-11-19` as the reader's language writes it: `Nov 19, 2026`, `19 nov. 2026`. */
export const formatDate = (isoDate: string): string => calendar().format(midnight(isoDate));

/** `Nov 2026`, where the day says nothing more. */
export const formatMonth = (isoDate: string): string => months().format(midnight(isoDate));

/** The calendar day of a moment where the reader is: `2026-11-19`. */
export function isoDateOf(ms: number): string {
  const parts = new Map(
    dateFormat({ calendar: 'gregory', numberingSystem: 'latn', year: 'numeric', month: '2-digit', day: '2-digit' })
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
}

/** Whether a text is a calendar day, not one that is still being typed or none. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

export const dayAfter = (isoDate: string): string =>
  new Date(Date.parse(`${isoDate}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** Whole days from one calendar day to another; negative when that is past. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
