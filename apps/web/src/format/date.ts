import { dateFormat } from './locale.ts';

/** A calendar day has no zone: it is read and written as UTC. */
const calendar = () => dateFormat({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

function partsOf(isoDate: string): ReadonlyMap<string, string> {
  const parts = calendar().formatToParts(new Date(`${isoDate}T00:00:00Z`));
  return new Map(parts.map(({ type, value }) => [type, value]));
}

/** `19 Nov 2026` of `2026-11-19`. */
export function formatDate(isoDate: string): string {
  const part = partsOf(isoDate);
  return `${part.get('day')} ${part.get('month')} ${part.get('year')}`;
}

/** `Nov 2026`, where the day says nothing more. */
export function formatMonth(isoDate: string): string {
  const part = partsOf(isoDate);
  return `${part.get('month')} ${part.get('year')}`;
}

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
