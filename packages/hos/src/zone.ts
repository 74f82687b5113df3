import { type EpochMs, epochMs } from '@milepost/units';

/** A time zone's clock, from the ICU data built into Node and every browser. */
export interface Zone {
  /** Wall clock minus UTC, in milliseconds. */
  readonly offsetAt: (instant: EpochMs) => number;
}

/** Null for an unknown time zone. */
export function zoneNamed(timeZone: string): Zone | null {
  const known = zones.get(timeZone);
  if (known) return known;
  const zone = makeZone(timeZone);
  if (zone === null) return null;
  if (zones.size >= REMEMBERED) zones.clear();
  zones.set(timeZone, zone);
  return zone;
}

/**
 * Formatters are expensive to create. The cache has room for every zone in the world, but unusual spellings cannot fill
 * it without limit.
 */
const REMEMBERED = 600;
const zones = new Map<string, Zone>();

function makeZone(timeZone: string): Zone | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
  const offsetAt = (instant: EpochMs): number => {
    const wholeSecond = Math.floor(instant / 1000) * 1000;
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(wholeSecond)) part[type] = Number(value);
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSecond;
  };
  return { offsetAt };
}

/** ISO 8601 to the second, with the offset in force: `2026-02-02T06:00:00-06:00`. */
export function toLocalIso(instant: EpochMs, zone: Zone): string {
  const offset = zone.offsetAt(instant);
  const wall = new Date(instant + offset).toISOString().slice(0, 19);
  const minutes = Math.abs(Math.round(offset / 60_000));
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${wall}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/**
 * The first instant at which the wall clock shows `wall` (milliseconds as if it were UTC) or later. Where clocks go
 * back, it is the first of the two; where they skip over `wall`, it is the instant of the change.
 */
export function firstInstantAt(wall: number, zone: Zone): EpochMs {
  const before = zone.offsetAt(epochMs(wall - DAY));
  const after = zone.offsetAt(epochMs(wall + DAY));
  const early = epochMs(wall - before);
  if (before === after || zone.offsetAt(early) === before) return early;
  const late = epochMs(wall - after);
  if (zone.offsetAt(late) === after) return late;
  return jumpBetween(late, early, wall, zone);
}

const DAY = 86_400_000;

function jumpBetween(low: EpochMs, high: EpochMs, wall: number, zone: Zone): EpochMs {
  let [earlier, later]: [number, number] = [low, high];
  while (later - earlier > 1) {
    const middle = epochMs(Math.floor((earlier + later) / 2));
    if (middle + zone.offsetAt(middle) >= wall) later = middle;
    else earlier = middle;
  }
  return epochMs(later);
}
