import { type EpochMs, epochMs } from '@milepost/units';
import type { Reader } from '../bytes.ts';
import { momentOf } from '../calendar.ts';

/** "All times in this standard are GMT+8" (JT/T 808-2013 Table 23). */
const ZONE_MS = 8 * 3_600_000;
export const TIME_BYTES = 6;

const packed = (byte: number): number => (byte >> 4) * 10 + (byte & 15);

/** Six packed decimals, year first; null if they are not a valid time. */
export function readTime(reader: Reader, zoneMs = ZONE_MS): EpochMs | null {
  const bytes = reader.take8(TIME_BYTES);
  if (reader.overrun || bytes.some(byte => byte >> 4 > 9 || (byte & 15) > 9)) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = [...bytes].map(packed);
  const time = momentOf(2000 + year, month, day, hour, minute, second);
  return time === null ? null : epochMs(time - zoneMs);
}

/** Its digits. */
export function timeDigits(time: EpochMs, zoneMs = ZONE_MS): string {
  const date = new Date(time + zoneMs);
  const parts = [
    date.getUTCFullYear() % 100,
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
  return parts.map(part => String(part).padStart(2, '0')).join('');
}
