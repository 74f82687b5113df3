export const DAY_MS = 24 * 3_600_000;

/** Days (UTC) since 1970. */
export const dayNumber = (timeMs: number): number => Math.floor(timeMs / DAY_MS);
export const startOfDay = (day: number): number => day * DAY_MS;
/** As in the tables: `2026-11-20`. */
export const toDate = (day: number): string => new Date(startOfDay(day)).toISOString().slice(0, 10);
export const fromDate = (date: string): number => Date.parse(date) / DAY_MS;
