/** Clocks change on the quarter of an hour. */
export const QUARTER_MS = 900_000;

interface Clock {
  readonly format: Intl.DateTimeFormat;
  /** How far the zone's clocks are ahead of UTC in one quarter of an hour; rows are mostly in the order of time. */
  quarter: number;
  aheadMs: number;
}

const CLOCKS = new Map<string, Clock>();

/** `2026-11-24 03:17:00` on the clocks of a zone. */
export function wallTime(iso: string, zone: string): string {
  let clock = CLOCKS.get(zone);
  if (!clock) {
    // Swedish writes dates as ISO 8601 does.
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    clock = { format, quarter: Number.NaN, aheadMs: 0 };
    CLOCKS.set(zone, clock);
  }
  const ms = Date.parse(iso);
  const quarter = Math.floor(ms / QUARTER_MS);
  if (quarter !== clock.quarter) {
    const startMs = quarter * QUARTER_MS;
    clock.aheadMs = Date.parse(`${clock.format.format(startMs).replace(' ', 'T')}Z`) - startMs;
    clock.quarter = quarter;
  }
  return new Date(ms + clock.aheadMs).toISOString().slice(0, 19).replace('T', ' ');
}
