import type { TrackOptions } from '@milepost/contract';
import { zoneNamed } from '@milepost/hos';
import { type EpochMs, epochMs } from '@milepost/units';

const DAY_FIRST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})/;
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/;
const CLOCK =
  /^[T\s,]*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([ap]\.?m\.?)?\s*(z|utc|gmt|[-+]\d{2}:?\d{2}|[-+]\d{2})?$/i;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/;

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
/** Offsets that are kept: a year has 35,040 quarters of an hour. */
const KEPT = 50_000;

/**
 * Reads times of files: ISO 8601, dates as people write them, seconds or milliseconds since 1970. Those without a zone
 * are on the clock of `timeZone`; in the hour that comes twice, the first one unless the vehicle's time before was later.
 */
export class Times {
  readonly #offsets = new Map<number, number>();
  readonly #offsetAt: (instant: EpochMs) => number;
  readonly #isDayFirst: boolean;

  constructor({ dateOrder, timeZone }: Pick<TrackOptions, 'dateOrder' | 'timeZone'>) {
    const zone = zoneNamed(timeZone);
    this.#offsetAt = zone ? zone.offsetAt : () => 0;
    this.#isDayFirst = dateOrder === 'dmy';
  }

  /** `beforeMs`: the vehicle's time in the row before. Null if it is no time. */
  read(text: string, beforeMs: number): EpochMs | null {
    const value = text.trim();
    if (/^\d+(\.\d+)?$/.test(value)) {
      const compact = COMPACT.exec(value);
      if (compact) return this.#atWall(wallOf(compact.slice(1).map(Number)), beforeMs);
      const number = Number(value);
      if (number >= 1e8 && number < 1e11) return epochMs(Math.round(number * 1000));
      return number >= 1e11 && number < 1e14 ? epochMs(Math.round(number)) : null;
    }
    const date = YEAR_FIRST.exec(value) ?? DAY_FIRST.exec(value);
    if (!date) return null;
    const [head, ...found] = date;
    const parts = found.map(Number) as [number, number, number];
    const [year, month, day] = parts[0] > 31 ? parts : ordered(parts, this.#isDayFirst);
    const clock = CLOCK.exec(value.slice(head.length));
    if (!clock) return null;
    const [, hours, minutes, seconds = '0', fraction = '', half = '', zone] = clock;
    const hour = hourOf(Number(hours), half);
    if (hour === null) return null;
    const wall = wallOf([year, month, day, hour, Number(minutes), Number(seconds)]);
    if (wall === null) return null;
    const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
    if (zone !== undefined) return epochMs(wall + ms - offsetOf(zone));
    const at = this.#atWall(wall, beforeMs);
    return at === null ? null : epochMs(at + ms);
  }

  #atWall(wall: number | null, beforeMs: number): EpochMs | null {
    if (wall === null) return null;
    const [early, late] = [this.#offset(wall - 26 * HOUR_MS), this.#offset(wall + 26 * HOUR_MS)];
    if (early === late) return epochMs(wall - early);
    const possible = [wall - early, wall - late].filter(at => this.#offset(at) === wall - at).sort((a, b) => a - b);
    const [first, second] = possible;
    // Clocks skipped it: as if they had not.
    if (first === undefined) return epochMs(wall - early);
    return epochMs(second !== undefined && beforeMs > first && beforeMs <= second + HOUR_MS ? second : first);
  }

  #offset(at: number): number {
    const quarter = Math.floor(at / QUARTER_MS);
    const known = this.#offsets.get(quarter);
    if (known !== undefined) return known;
    if (this.#offsets.size >= KEPT) this.#offsets.clear();
    const offset = this.#offsetAt(epochMs(quarter * QUARTER_MS));
    this.#offsets.set(quarter, offset);
    return offset;
  }
}

const ordered = ([a, b, year]: [number, number, number], isDayFirst: boolean): [number, number, number] =>
  isDayFirst ? [year, b, a] : [year, a, b];

/** As if the clock showed UTC; null if there is no such day or hour. */
function wallOf([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: readonly number[]): number | null {
  if (hour > 23 || minute > 59 || second > 60) return null;
  const midnight = new Date(Date.UTC(year, month - 1, day));
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return null;
  return midnight.getTime() + hour * HOUR_MS + minute * 60_000 + second * 1000;
}

function hourOf(hours: number, half: string): number | null {
  if (half === '') return hours;
  if (hours < 1 || hours > 12) return null;
  return (hours % 12) + (/^p/i.test(half) ? 12 : 0);
}

function offsetOf(zone: string): number {
  const found = /^([-+])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!found) return 0;
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
  return (found[1] === '-' ? -1 : 1) * minutes * 60_000;
}
