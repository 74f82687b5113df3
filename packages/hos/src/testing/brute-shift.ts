import type { RuleId } from '../rule-id.ts';
import { type History, type RulesInForce, rulesAt } from './brute-declared.ts';
import type { BruteLimits } from './brute-limits.ts';
import { at, floor, type Minutes, type Run } from './minutes.ts';

export interface BruteViolation {
  readonly rule: RuleId;
  readonly start: number;
  readonly over: number;
}

export interface ShiftClocks {
  readonly drive: number;
  readonly window: number;
  readonly onDuty: number | null;
  readonly break: number | null;
}

/** From the first minute of work to the next full rest; or to now, and then `closing` is null. */
interface BruteShift {
  readonly log: Minutes;
  readonly limits: BruteLimits;
  readonly start: number;
  readonly end: number;
  readonly closing: Half | null;
  readonly isOpen: boolean;
  readonly driving: readonly number[];
  readonly rulesOf: (minute: number) => RulesInForce;
}

interface Half {
  readonly start: number;
  readonly end: number;
  readonly sleeper: number;
}

interface Tried {
  /** Compared element by element; smaller is better. */
  readonly rank: readonly number[];
  readonly past: Readonly<Record<'drive' | 'window' | 'onDuty', readonly number[]>>;
  readonly windowRule: RuleId;
  readonly long: boolean;
  readonly clocks: ShiftClocks;
}

export function judgeShift(
  log: Minutes,
  limits: BruteLimits,
  from: number,
  end: number,
  closing: Run | null,
  history: History,
): { readonly violations: readonly BruteViolation[]; readonly clocks: ShiftClocks | null } {
  let start = from;
  while (start < end && at(log.duty, start + 1) === at(log.duty, start)) start++;
  if (start >= end) return { violations: [], clocks: null };
  const known: RulesInForce[] = [];
  const always = log.log.declarations.length === 0 ? rulesAt(log, limits, history, start, start) : null;
  const rulesOf = (minute: number): RulesInForce => {
    if (always) return always;
    const rules = known[minute - start] ?? rulesAt(log, limits, history, start, minute);
    known[minute - start] = rules;
    return rules;
  };
  const driving = log.driving.slice(drivingBefore(log, start), drivingBefore(log, end));
  const shift: BruteShift = {
    log,
    limits,
    start,
    end,
    closing: closing && halfOf(closing, limits),
    isOpen: closing === null,
    driving,
    rulesOf,
  };

  const halves = log.runs.flatMap(run => (run.start >= from && run.end <= end ? (halfOf(run, limits) ?? []) : []));
  let best = tryPairing(shift, []);
  for (let mask = 1; mask < 2 ** halves.length; mask++) {
    const used = halves.filter((_, index) => (mask >> index) & 1);
    if (!isPossible(shift, used)) continue;
    const tried = tryPairing(shift, used);
    if (isBefore(tried.rank, best.rank)) best = tried;
  }
  if (best.long) history.longDays.push(at(log.day, start));

  const violations: BruteViolation[] = [];
  const add = (rule: RuleId | undefined, minutes: readonly number[]): void => {
    const [first] = minutes;
    if (rule !== undefined && first !== undefined) violations.push({ rule, start: first, over: minutes.length });
  };
  add(limits.drive[0], best.past.drive);
  add(best.windowRule, best.past.window);
  add(limits.onDuty?.[0], best.past.onDuty);
  if (limits.break) {
    add(
      'US_30MIN',
      driving.filter(
        minute => at(log.drivenSinceBreak, minute) >= 480 && !rulesOf(minute).breakWaived && !log.exempt[minute],
      ),
    );
  }
  return { violations, clocks: shift.isOpen ? best.clocks : null };
}

/** The number of driving minutes in the log before `minute`, which is also their index. */
const drivingBefore = (log: Minutes, minute: number): number => at(log.driven, minute);

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const index = a.findIndex((value, position) => value !== b[position]);
  return index >= 0 && (a[index] ?? 0) < (b[index] ?? 0);
}

export function halfOf(run: Run, limits: BruteLimits): Half | null {
  if (limits.split === undefined) return null;
  const half =
    limits.split === 'long'
      ? { start: run.start, end: run.end, sleeper: run.sleeper }
      : { start: run.sleeperEnd - run.sleeper, end: run.sleeperEnd, sleeper: run.sleeper };
  return lengthOf(half) >= 120 ? half : null;
}

const lengthOf = ({ start, end }: Half): number => end - start;

function isPair(a: Half, b: Half, { split }: BruteLimits): boolean {
  if (split === 'long') return lengthOf(a) + lengthOf(b) >= 600 && (a.sleeper >= 420 || b.sleeper >= 420);
  return lengthOf(a) + lengthOf(b) >= (split ?? 0) * 60;
}

/**
 * Every used rest pairs with a used neighbor; the last may be unpaired if it is a long sleeper rest and the shift is
 * open.
 */
function isPossible({ limits, closing, isOpen }: BruteShift, used: readonly Half[]): boolean {
  return used.every((half, index) => {
    const [before, after] = [used[index - 1], used[index + 1] ?? closing];
    if ((before && isPair(before, half, limits)) || (after && isPair(half, after, limits))) return true;
    return isOpen && index === used.length - 1 && limits.split === 'long' && half.sleeper >= 420;
  });
}

/** Checks every driving minute of the shift, with the rests in `used` paired and excluded. */
function tryPairing(shift: BruteShift, used: readonly Half[]): Tried {
  const { log, limits, end, rulesOf } = shift;
  const [drive, window, onDuty]: [number[], number[], number[]] = [[], [], []];
  const day = limits.day ?? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const [windowRule, hours] = (used.length > 0 && limits.splitWindow) || limits.window;
  const shorter = (limits.window[1] - hours) * 60;
  let long = false;
  const count = new Counter(shift, used);
  for (const minute of shift.driving) {
    const rules = rulesOf(minute);
    count.moveTo(minute);
    if (log.exempt[minute]) continue;
    if (count.driven >= rules.drive || at(log.drivenToday, minute) >= day[0] * 60 + rules.moreDriving)
      drive.push(minute);
    if (count.window >= rules.window - shorter) window.push(minute);
    if (rules.window > rules.ordinaryWindow && count.window >= rules.ordinaryWindow) long = true;
    if (!limits.onDuty) continue;
    if (
      count.worked >= limits.onDuty[1] * 60 + rules.moreDuty ||
      at(log.workedToday, minute) >= day[1] * 60 + rules.moreDuty
    ) {
      onDuty.push(minute);
    }
  }
  const rules = rulesOf(end);
  count.moveTo(end);
  const driveLeft = floor(rules.drive - count.driven);
  const windowLeft = floor(rules.window - shorter - count.window);
  const onDutyLeft = limits.onDuty ? floor(limits.onDuty[1] * 60 + rules.moreDuty - count.worked) : null;
  const lefts = [driveLeft, windowLeft, ...(onDutyLeft === null ? [] : [onDutyLeft])];
  const past = [drive, window, onDuty];
  const overs = past.map(minutes => minutes.length).filter(over => over > 0);
  return {
    rank: [
      overs.filter(over => over > 180).length,
      overs.filter(over => over >= 15 && over <= 180).length,
      overs.filter(over => over > 0 && over < 15).length,
      ...(shift.isOpen ? [-Math.min(...lefts), -lefts.reduce((sum, left) => sum + left, 0)] : []),
      overs.reduce((sum, over) => sum + over, 0),
      ...past.map(minutes => -(minutes[0] ?? Number.POSITIVE_INFINITY)),
      ...past.map(minutes => minutes.at(-1) ?? -1),
      long ? 1 : 0,
      limits.splitWindow && used.length === 0 ? 1 : 0,
    ],
    past: { drive, window, onDuty },
    windowRule,
    long,
    clocks: {
      drive: floor(Math.min(driveLeft, day[0] * 60 + rules.moreDriving - at(log.drivenToday, end))),
      window: windowLeft,
      onDuty:
        onDutyLeft === null
          ? null
          : floor(Math.min(onDutyLeft, day[1] * 60 + rules.moreDuty - at(log.workedToday, end))),
      break: limits.break && !rules.breakWaived ? floor(480 - at(log.drivenSinceBreak, end)) : null,
    },
  };
}

/**
 * Goes through the minutes of a shift in order, excluding the rests in `used`, and returns what each limit has counted
 * before a minute. A minute inside a used rest may be asked for only at the end.
 */
class Counter {
  readonly #shift: BruteShift;
  readonly #used: readonly Half[];
  #next = 0;
  /** The calculation point: the end of the first rest of the last complete pair. */
  #anchor: number;
  #paused = 0;
  driven = 0;
  worked = 0;
  window = 0;

  constructor(shift: BruteShift, used: readonly Half[]) {
    this.#shift = shift;
    this.#used = used;
    // The window begins with work that counts.
    let first = shift.start;
    while (first < shift.end && at(shift.log.worked, first + 1) === at(shift.log.worked, first)) first++;
    this.#anchor = first;
  }

  moveTo(minute: number): void {
    const { log, limits } = this.#shift;
    for (let half = this.#used[this.#next]; half && half.end <= minute; half = this.#used[++this.#next]) {
      const before = this.#used[this.#next - 1];
      if (before && isPair(before, half, limits)) [this.#anchor, this.#paused] = [before.end, lengthOf(half)];
      else if (half.start >= this.#anchor) this.#paused += lengthOf(half);
    }
    this.driven = at(log.driven, minute) - at(log.driven, this.#anchor);
    this.worked = at(log.worked, minute) - at(log.worked, this.#anchor);
    this.window =
      limits.window[2] === 'worked'
        ? this.worked
        : Math.max(0, minute - this.#anchor - this.#paused - this.#waiting(minute) - this.#uncounted(minute));
  }

  #uncounted(minute: number): number {
    const { log } = this.#shift;
    return Math.max(0, at(log.uncounted, minute) - at(log.uncounted, this.#anchor));
  }

  /** Minutes of waiting at a well outside the used rests. */
  #waiting(minute: number): number {
    const { log, limits } = this.#shift;
    if (!limits.well) return 0;
    const between = (start: number, end: number): number => at(log.waiting, end) - at(log.waiting, start);
    let waiting = between(this.#anchor, minute);
    for (const { start, end } of this.#used) {
      if (start >= this.#anchor && end <= minute) waiting -= between(start, end);
    }
    return waiting;
  }
}
