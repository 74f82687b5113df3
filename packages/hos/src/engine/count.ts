import type { EpochMs, Milliseconds } from '@milepost/units';
import type { RuleSet } from '../rule-set.ts';
import type { Chain, Half } from './half.ts';
import { addDriving, type PastLimit } from './past-limit.ts';
import { between, NOTHING, sum } from './time.ts';

/**
 * What a work shift has used of its limits under one way of pairing its rests. A shift has one count without any pair
 * and more when its rests can make splits; `pairing.ts` makes and chooses them.
 */
export interface Count {
  /** The calculation point: first work of the shift, or the end of the first rest of the last pair. Null before. */
  readonly from: EpochMs | null;
  /** Rest since `from` that the window leaves out. */
  readonly paused: Milliseconds;
  readonly driven: Milliseconds;
  /** On duty, driving included. */
  readonly worked: Milliseconds;
  /** The last rest that this count uses, and what was done since; what of the time since the window leaves out. */
  readonly last: Half | null;
  readonly pausedSince: Milliseconds;
  readonly drivenSince: Milliseconds;
  readonly workedSince: Milliseconds;
  /** Whether `last` is the second half of a pair; else it waits for its other half. */
  readonly paired: boolean;
  /** All the rests that this count uses, the latest first. */
  readonly used: Chain | null;
  readonly drive: PastLimit | null;
  readonly window: PastLimit | null;
  readonly onDuty: PastLimit | null;
  /** Drove in the hours that only a longer window allows. */
  readonly usedLongWindow: boolean;
}

export const FRESH: Count = {
  from: null,
  paused: NOTHING,
  driven: NOTHING,
  worked: NOTHING,
  last: null,
  pausedSince: NOTHING,
  drivenSince: NOTHING,
  workedSince: NOTHING,
  paired: false,
  used: null,
  drive: null,
  window: null,
  onDuty: null,
  usedLongWindow: false,
};

/** The shift's limits as they are now, declarations included. */
export interface ShiftLimits {
  readonly drive: Milliseconds;
  readonly window: Milliseconds;
  /** Without an end where the rule set has no such limit. */
  readonly onDuty: Milliseconds;
  /** The window's limit without the longer one of a declared exception. */
  readonly ordinaryWindow: Milliseconds;
}

/** What is left of the day's own limits, where there are any. */
export interface DayLeft {
  readonly start: EpochMs;
  readonly drive: number;
  readonly onDuty: number;
}

export function windowUsed(count: Count, counts: RuleSet['window']['counts'], at: EpochMs): number {
  if (counts === 'onDuty') return count.worked;
  return count.from === null ? 0 : at - count.from - count.paused;
}

export function withWork(count: Count, start: EpochMs, end: EpochMs): Count {
  const length = between(start, end);
  return {
    ...count,
    from: count.from ?? start,
    worked: sum(count.worked, length),
    workedSince: sum(count.workedSince, length),
  };
}

export function withDriving(
  count: Count,
  rules: RuleSet,
  limits: ShiftLimits,
  day: DayLeft | null,
  start: EpochMs,
  end: EpochMs,
): Count {
  const length = between(start, end);
  const from = count.from ?? start;
  const used = windowUsed(count, rules.window.counts, start);
  return {
    from,
    paused: count.paused,
    driven: sum(count.driven, length),
    worked: sum(count.worked, length),
    last: count.last,
    pausedSince: count.pausedSince,
    drivenSince: sum(count.drivenSince, length),
    workedSince: sum(count.workedSince, length),
    paired: count.paired,
    used: count.used,
    drive: stricter(count.drive, limits.drive - count.driven, rules.drive.clause, from),
    window: addDriving(count.window, start, end, limits.window - used, from, rules.window.clause),
    onDuty: rules.onDuty && stricter(count.onDuty, limits.onDuty - count.worked, rules.onDuty.clause, from, true),
    usedLongWindow:
      count.usedLongWindow || (limits.window > limits.ordinaryWindow && used + length > limits.ordinaryWindow),
  };

  function stricter(past: PastLimit | null, left: number, clause: string, countedFrom: EpochMs, onDuty = false) {
    const dayLeft = day && (onDuty ? day.onDuty : day.drive);
    if (day === null || dayLeft === null || dayLeft >= left || rules.day === null) {
      return addDriving(past, start, end, left, countedFrom, clause);
    }
    return addDriving(past, start, end, dayLeft, day.start, (onDuty ? rules.day.onDuty : rules.day.drive).clause);
  }
}
