import { type EpochMs, epochMs } from '@milepost/units';
import type { LogErrorCode } from './raw-log.ts';

/** Records an error and its location, and returns null in place of the value. */
export type Report = (code: LogErrorCode, at: string) => null;

export type Fields = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const EARLIEST = epochMs(Date.UTC(1990, 0));
export const LATEST = epochMs(Date.UTC(2100, 0));

/** A date and a time with its offset; a local time without one does not identify an instant. */
const ISO = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Reads milliseconds, or ISO 8601 with an offset; null for anything else, and outside 1990–2099. */
export function readTime(raw: unknown): EpochMs | null {
  const instant = typeof raw === 'string' ? fromIso(raw) : raw;
  if (typeof instant !== 'number' || !Number.isInteger(instant)) return null;
  return instant >= EARLIEST && instant < LATEST ? epochMs(instant) : null;
}

function fromIso(text: string): number | null {
  const [, year, month, day] = ISO.exec(text) ?? [];
  if (year === undefined) return null;
  // Date.parse turns February 30 into March 2.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCDate() === Number(day) ? Date.parse(text) : null;
}
