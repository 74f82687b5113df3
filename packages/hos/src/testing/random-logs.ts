import { type EpochMs, epochMs } from '@milepost/units';
import type { DutyLog } from '../duty-log.ts';
import { EXCEPTIONS } from '../exception.ts';
import type { RawDeclaration, RawLog, RawSegment } from '../raw-log.ts';
import { readDutyLog } from '../read-duty-log.ts';
import type { DutyStatus } from '../status.ts';

/** Returns the same numbers for the same seed (mulberry32), so that a failing log can be recreated. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const ZONES = [
  'America/Chicago',
  'America/St_Johns',
  'America/Anchorage',
  'America/Phoenix',
  'America/Toronto',
] as const;
const DAY_STARTS = [0, 0, 77, 120, 150, 180, 720, 1439] as const;
/** Days around both clock changes, and one without a change. */
const FIRST_DAYS = [Date.UTC(2026, 2, 1), Date.UTC(2026, 9, 25), Date.UTC(2026, 5, 10)] as const;

/** Lengths in minutes at, just below and just above every limit in the rules. */
const RESTS = [
  10, 29, 30, 31, 60, 119, 120, 121, 150, 180, 240, 300, 360, 419, 420, 421, 450, 479, 480, 481, 500,
] as const;
const LONG_RESTS = [480, 540, 599, 600, 601, 620, 700, 840, 1440, 1441, 2039, 2040, 2160, 4320] as const;
const SPLIT_RESTS = [119, 120, 120, 150, 180, 180, 240, 300, 360, 419, 420, 420, 450, 480, 540, 599] as const;
const WORK = [5, 15, 30, 45, 60, 90, 120, 180] as const;
const DRIVING = [10, 60, 90, 120, 180, 240, 300, 359, 360, 420, 480, 481] as const;

export interface RandomLog {
  readonly raw: RawLog;
  readonly log: DutyLog;
  readonly now: EpochMs;
}

/** A plausible, often unlawful log: usually of a day or two, sometimes of a cycle, occasionally of 16 days. */
export function randomLog(seed: number): RandomLog {
  const random = randomNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const chance = (probability: number): boolean => random() < probability;

  const start = pick(FIRST_DAYS) + Math.floor(random() * 6 * 1440) * 60_000;
  // Some drivers use splits a lot: many rests that could pair, with little work between them.
  const splits = chance(0.4);
  const declares = chance(0.35);
  const days = splits ? 1 + random() * 3 : chance(0.75) ? 0.5 + random() * 2 : chance(0.8) ? 5 + random() * 4 : 16;
  const segments: RawSegment[] = [];
  let at = 0;
  const add = (status: DutyStatus, minutes: number): void => {
    segments.push({ status, start: start + at * 60_000, end: start + (at + minutes) * 60_000 });
    at += minutes;
  };
  // How many rests of a shift could form splits: each one doubles what brute force has to try.
  let rests = 0;
  if (chance(0.5)) add('OFF', pick(LONG_RESTS));
  while (at < days * 1440) {
    for (let tasks = 1 + Math.floor(random() * (splits ? 2 : 4)); tasks > 0; tasks--) {
      if (chance(0.6)) add('D', splits ? Math.ceil(pick(DRIVING) / 2) : pick(DRIVING));
      else add(chance(0.2) ? 'YM' : 'ON', pick(WORK));
    }
    if (rests >= (splits ? 5 : 4) || chance(splits ? 0.1 : 0.35)) {
      rests = 0;
      restFor(pick(LONG_RESTS.filter(length => length >= 600)));
    } else {
      const length = splits ? pick(SPLIT_RESTS) : pick(RESTS);
      if (length >= 120) rests++;
      restFor(length);
    }
  }
  const end = start + at * 60_000;
  const raw: RawLog = {
    timezone: pick(ZONES),
    homeTerminalStartOfDay: clock(pick(DAY_STARTS)),
    segments,
    declarations: declares ? declarations() : [],
  };
  const read = readDutyLog(raw);
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return { raw, log: read.value, now: epochMs(end - (chance(0.3) ? Math.floor(random() * 600) * 60_000 : 0)) };

  function restFor(minutes: number): void {
    const pure = chance(0.7);
    let left = pure ? 0 : minutes;
    if (pure) add(chance(0.6) ? 'SB' : 'OFF', minutes);
    while (left > 0) {
      const length = chance(0.5) ? left : Math.min(left, pick(RESTS));
      add(pick(['OFF', 'SB', 'SB', 'PC'] as const), length);
      left -= length;
    }
  }

  function declarations(): RawDeclaration[] {
    return Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
      const from = start + Math.floor(random() * at) * 60_000;
      const end = chance(0.3) ? undefined : from + (1 + Math.floor(random() * 3000)) * 60_000;
      return { exception: pick(EXCEPTIONS), start: from, ...(end !== undefined && { end }) };
    });
  }
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
