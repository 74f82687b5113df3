import type { EpochMs } from '@milepost/units';
import { momentOf, twoDigits } from '../calendar.ts';

/** Text fields in the notation of this maker. */

/** `YYYYMMDDHHMMSS`; null if it is not a valid time. */
export function readTime(text: string | undefined): EpochMs | null {
  if (text === undefined || !/^\d{14}$/.test(text)) return null;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const [month, day, hour, minute, second] = [4, 6, 8, 10, 12].map(at => twoDigits(text, at));
  return momentOf(year, month ?? 0, day ?? 0, hour ?? 0, minute ?? 0, second ?? 0);
}

export const timeText = (time: EpochMs): string => new Date(time).toISOString().replace(/\D/g, '').slice(0, 14);

/** A decimal number; null if it is not one or empty. */
export const readNumber = (text: string | undefined): number | null =>
  text !== undefined && /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : null;

export function readHex(text: string | undefined): number | null {
  return text !== undefined && /^[0-9A-Fa-f]{1,8}$/.test(text) ? Number.parseInt(text, 16) : null;
}

/** Volts, from millivolts as in most fields, or from volts as in some. */
export function readVolts(text: string | undefined): number | null {
  const value = readNumber(text);
  if (value === null) return null;
  return (text ?? '').includes('.') || value < 100 ? value : value / 1000;
}

/** `310-4-33278-421275` from MCC, MNC in decimals and LAC, cell in hexadecimal; null without a network. */
export function readCell(fields: readonly string[], at: number): string | null {
  const [mcc, mnc] = [readNumber(fields[at]), readNumber(fields[at + 1])];
  const [lac, cell] = [readHex(fields[at + 2]), readHex(fields[at + 3])];
  return mcc === null || mnc === null || lac === null || cell === null || mcc === 0
    ? null
    : `${mcc}-${mnc}-${lac}-${cell}`;
}
