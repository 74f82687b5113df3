import type { EpochMs, Milliseconds } from '@milepost/units';
import type { Limit, RuleSet } from '../rule-set.ts';
import type { Chain, Half } from './half.ts';
import { addDriving, type PastLimit } from './past-limit.ts';
import { between, NOTHING, sum } from './time.ts';

/**
 * How much of its limits a work shift has used under one way of pairing its rests. A shift has one count without any
 * pairs, and more when its rests can form splits; `pairing.ts` creates them and chooses one.
 */
export interface Count {
  /**
   * The calculation point: the first work of the shift, or the end of the first rest of the last pair. Null before any
   * work.
   */
  readonly from: EpochMs | null;
  /** Rest since `from` that is excluded from the window. */
  readonly paused: Milliseconds;
  readonly driven: Milliseconds;
  /** On duty, driving included. */
  readonly worked: Milliseconds;
  /**
   * The last rest that this count uses, the work since then, and the time since then that is excluded from the window.
   */
  readonly last: Half | null;
  readonly pausedSince: Milliseconds;
  readonly drivenSince: Milliseconds;
  readonly workedSince: Milliseconds;
  /** True if `last` is the second half of a pair; false if it is still waiting for its other half. */
  readonly paired: boolean;
  /** All rests that this count uses, latest first. */
  readonly used: Chain | null;
  readonly drive: PastLimit | null;
  readonly window: PastLimit | null;
  /** While the count uses no rest: what `window` becomes once it uses one, where a split has a shorter window. */
  readonly splitWindow: PastLimit | null;
  readonly onDuty: PastLimit | null;
  /** The driver drove in hours that only a longer window allows. */
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
  splitWindow: null,
  onDuty: null,
  usedLongWindow: false,
};

/** The shift's current limits, including declarations. */
export interface ShiftLimits {
  readonly drive: Milliseconds;
  readonly window: Milliseconds;
  /** Infinite where the rule set has no such limit. */
  readonly onDuty: Milliseconds;
  /** The window's limit without a declared exception's longer one. */
  readonly ordinaryWindow: Milliseconds;
}

/** What is left of the daily limits, where the rule set has them. */
export interface DayLeft {
  readonly start: EpochMs;
  readonly drive: number;
  readonly onDuty: number;
}

export function windowUsed(count: Count, counts: RuleSet['window']['counts'], at: EpochMs): number {
  if (counts === 'onDuty') return count.worked;
  return count.from === null ? 0 : at - count.from - count.paused;
}

/** The window's rule for a count that uses rests, or none. */
export const windowRule = (isSplit: boolean, { window, split }: RuleSet): Limit => (isSplit && split?.window) || window;

/** Its limit, with what is declared. */
export const windowLimit = (isSplit: boolean, rules: RuleSet, declared: ShiftLimits): number =>
  declared.window - (rules.window.limit - windowRule(isSplit, rules).limit);

export function withWork(count: Count, start: EpochMs, end: EpochMs): Count {
  const length = between(start, end);
  return {
    ...count,
    from: count.from ?? start,
    worked: sum(count.worked, length),
    workedSince: sum(count.workedSince, length),
  };
}

/** Work or driving that doesn't count, and that the window leaves out. It is no rest either. */
export function withUncounted(count: Count, start: EpochMs, end: EpochMs): Count {
  const length = between(start, end);
  return {
    ...count,
    paused: count.from === null ? count.paused : sum(count.paused, length),
    pausedSince: count.last === null ? count.pausedSince : sum(count.pausedSince, length),
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
    window: pastWindow(count.window, count.used !== null),
    splitWindow: rules.split?.window && count.used === null ? pastWindow(count.splitWindow, true) : null,
    onDuty: rules.onDuty && stricter(count.onDuty, limits.onDuty - count.worked, rules.onDuty.clause, from, true),
    usedLongWindow:
      count.usedLongWindow || (limits.window > limits.ordinaryWindow && used + length > limits.ordinaryWindow),
  };

  function pastWindow(past: PastLimit | null, isSplit: boolean) {
    const left = windowLimit(isSplit, rules, limits) - used;
    return addDriving(past, start, end, left, from, windowRule(isSplit, rules).clause);
  }

  function stricter(past: PastLimit | null, left: number, clause: string, countedFrom: EpochMs, onDuty = false) {
    const dayLeft = day && (onDuty ? day.onDuty : day.drive);
    if (day === null || dayLeft === null || dayLeft >= left || rules.day === null) {
      return addDriving(past, start, end, left, countedFrom, clause);
    }
    return addDriving(past, start, end, dayLeft, day.start, (onDuty ? rules.day.onDuty : rules.day.drive).clause);
  }
}
