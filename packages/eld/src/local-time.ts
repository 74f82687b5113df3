import { dateOf, type HomeTerminal, homeDays, zoneNamed } from '@milepost/hos';
import type { EpochMs } from '@milepost/units';

/**
 * Time at the home terminal, in which records are kept (Appendix A, 4.4.3), as the output file writes it. A driver's
 * day is the one of the hours-of-service rules: it starts at the carrier's hour, and has 23 or 25 hours twice a year.
 */

const DAY_MS = 24 * 3_600_000;

export const isZone = (timeZone: string): boolean => zoneNamed(timeZone) !== null;

/** The wall clock minus UTC, in milliseconds: −6 h in Chicago’s winter. What is no zone is read as UTC. */
const offsetAt = (at: EpochMs, timeZone: string): number => zoneNamed(timeZone)?.offsetAt(at) ?? 0;

/** The date (`2026-02-03`) of the driver's day that a moment belongs to: the one on which that day began. */
export const dayOf = (at: EpochMs, home: HomeTerminal): string => dateOf(homeDays(home).dayOf(at));

/** When the driver's day of a date begins. */
export const startOfDate = (date: string, home: HomeTerminal): EpochMs =>
  homeDays(home).startOf(Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS));

export const isoDate = (utc: number): string => new Date(utc).toISOString().slice(0, 10);
/** Another date, so many days later. */
export const addDays = (date: string, days: number): string => isoDate(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS);

/** `MMDDYY` (7.8) and `HHMMSS` (7.40) on the clock of a zone. */
export function fileDateAndTime(at: EpochMs, timeZone: string): { readonly date: string; readonly time: string } {
  const wall = new Date(at + offsetAt(at, timeZone)).toISOString();
  return { date: fileDate(wall), time: wall.slice(11, 19).replaceAll(':', '') };
}

/** `2026-02-03` as `MMDDYY`. */
export const fileDate = (date: string): string => date.slice(5, 7) + date.slice(8, 10) + date.slice(2, 4);

/**
 * Hours behind UTC as the file writes them (7.41): `06`. The rule knows 04 to 11; what it has no form for keeps its sign
 * and its minutes, so that nobody takes Tokyo (`-09`) for Alaska and the file's writer refuses it.
 */
export function fileOffset(at: EpochMs, timeZone: string): string {
  const minutes = Math.round(-offsetAt(at, timeZone) / 60_000);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${minutes < 0 ? '-' : ''}${two(hours)}${rest === 0 ? '' : `:${two(rest)}`}`;
}
