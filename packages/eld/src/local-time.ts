import { dateOf, type HomeTerminal, homeDays, zoneNamed } from '@milepost/hos';
import type { EpochMs } from '@milepost/units';

/**
 * Time at the home terminal, in which records are kept (Appendix A, 4.4.3), in the output file's format. A driver's day
 * is that of the hours-of-service rules: it starts at the carrier's hour, and has 23 or 25 hours twice a year.
 */

const DAY_MS = 24 * 3_600_000;

export const isZone = (timeZone: string): boolean => zoneNamed(timeZone) !== null;

/** Wall clock minus UTC, in milliseconds: −6 h in Chicago’s winter. An unknown zone is read as UTC. */
const offsetAt = (at: EpochMs, timeZone: string): number => zoneNamed(timeZone)?.offsetAt(at) ?? 0;

/** The date (`2026-02-03`) of the driver's day that contains a moment: the date on which that day began. */
export const dayOf = (at: EpochMs, home: HomeTerminal): string => dateOf(homeDays(home).dayOf(at));

/** When the driver's day of a date begins. */
export const startOfDate = (date: string, home: HomeTerminal): EpochMs =>
  homeDays(home).startOf(Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS));

export const isoDate = (utc: number): string => new Date(utc).toISOString().slice(0, 10);
/** The date that many days later. */
export const addDays = (date: string, days: number): string => isoDate(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS);

/** `MMDDYY` (7.8) and `HHMMSS` (7.40) on a time zone's clock. */
export function fileDateAndTime(at: EpochMs, timeZone: string): { readonly date: string; readonly time: string } {
  const wall = new Date(at + offsetAt(at, timeZone)).toISOString();
  return { date: fileDate(wall), time: wall.slice(11, 19).replaceAll(':', '') };
}

/** `2026-02-03` as `MMDDYY`. */
export const fileDate = (date: string): string => date.slice(5, 7) + date.slice(8, 10) + date.slice(2, 4);

/**
 * Hours behind UTC as the file writes them (7.41): `06`. The rule allows 04 to 11; other offsets keep their sign and
 * minutes, so that Tokyo (`-09`) does not look like Alaska, and the file's writer refuses them.
 */
export function fileOffset(at: EpochMs, timeZone: string): string {
  const minutes = Math.round(-offsetAt(at, timeZone) / 60_000);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${minutes < 0 ? '-' : ''}${two(hours)}${rest === 0 ? '' : `:${two(rest)}`}`;
}
