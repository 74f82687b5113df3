import { cycleLeft, cycleViolations, timeOffViolations } from './brute-days.ts';
import { exempted, type History, restartsOf, rulesAt } from './brute-declared.ts';
import type { BruteLimits } from './brute-limits.ts';
import { type BruteViolation, judgeShift, type ShiftClocks } from './brute-shift.ts';
import { at, floor, type Minutes } from './minutes.ts';

/** What the brute-force evaluator finds, in minutes. */
export interface BruteResult extends ShiftClocks {
  readonly cycle: number;
  /** By start; `start` counts minutes from the first minute of the log. */
  readonly violations: readonly BruteViolation[];
}

/**
 * Evaluates a log minute by minute: for every driving minute, checks whether it was allowed, under every possible
 * pairing of its shift's rests.
 */
export function bruteForce(given: Minutes, limits: BruteLimits): BruteResult {
  const log = exempted(given, limits);
  const history: History = { longDays: [], restarts: restartsOf(log, limits) };
  const shifts = shiftsOf(log, limits, history);
  const violations = [
    ...shifts.violations,
    ...cycleViolations(log, limits, history.restarts),
    ...timeOffViolations(log, limits),
  ].sort((a, b) => a.start - b.start || (a.rule < b.rule ? -1 : 1));
  const cycle = cycleLeft(log, limits, history.restarts, log.length);
  return { ...(shifts.clocks ?? fresh(log, limits, history)), cycle, violations };
}

interface Shifts {
  readonly violations: readonly BruteViolation[];
  readonly clocks: ShiftClocks | null;
}

/**
 * Rule sets that differ only in their cycles have the same shifts, unless something is declared, so shifts are
 * evaluated once per log.
 */
const judged = new WeakMap<Minutes, Map<string, Shifts>>();

function shiftsOf(log: Minutes, limits: BruteLimits, history: History): Shifts {
  if (log.log.declarations.length > 0) return judgeShifts(log, limits, history);
  const known = judged.get(log) ?? new Map<string, Shifts>();
  judged.set(log, known);
  const key = JSON.stringify({ ...limits, cycle: null, restart: null, well: null, dayOffBefore: null, daily: null });
  const shifts = known.get(key) ?? judgeShifts(log, limits, history);
  known.set(key, shifts);
  return shifts;
}

function judgeShifts(log: Minutes, limits: BruteLimits, history: History): Shifts {
  const violations: BruteViolation[] = [];
  let clocks: ShiftClocks | null = null;
  let start = 0;
  for (const rest of [...log.runs.filter(run => run.end - run.start >= limits.rest * 60), null]) {
    const shift = judgeShift(log, limits, start, rest?.start ?? log.length, rest, history);
    violations.push(...shift.violations);
    clocks = shift.clocks;
    start = rest?.end ?? log.length;
  }
  return { violations, clocks };
}

/** The clocks after a full rest with no work since. */
function fresh(log: Minutes, limits: BruteLimits, history: History): ShiftClocks {
  const now = log.length;
  const rules = rulesAt(log, limits, history, now, now);
  const day = limits.day ?? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  return {
    drive: floor(Math.min(rules.drive, day[0] * 60 + rules.moreDriving - at(log.drivenToday, now))),
    window: rules.window,
    onDuty: limits.onDuty
      ? floor(Math.min(limits.onDuty[1] * 60, day[1] * 60 - at(log.workedToday, now)) + rules.moreDuty)
      : null,
    break: limits.break && !rules.breakWaived ? floor(480 - at(log.drivenSinceBreak, now)) : null,
  };
}
