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
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Whole days from one calendar day to another; negative when that is past. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
