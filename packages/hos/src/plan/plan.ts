import type { EpochMs } from '@milepost/units';
import type { DutyLog, Segment } from '../duty-log.ts';
import { rulesFor } from '../engine/state.ts';
import { stateAt } from '../evaluate.ts';
import { failure, type Result, success } from '../result.ts';
import type { RuleSet } from '../rule-set.ts';
import { cheapest } from './search.ts';
import { type Step, startOf, type Task } from './step.ts';

export interface PlanOptions {
  /** Whether the driver has a sleeper berth. If so, rests are taken in it and splits are tried. */
  readonly sleeper: boolean;
}

export interface Plan {
  /** From now on, without gaps: D, ON, and OFF or SB. */
  readonly segments: readonly Segment[];
  readonly finish: EpochMs;
  /** True if no schedule that rests between tasks or where a limit stops the driving is earlier. */
  readonly isEarliest: boolean;
}

export const PLAN_ERROR_CODES = ['no-work', 'bad-duration', 'too-much-work', 'no-schedule'] as const;
export interface PlanError {
  readonly code: (typeof PLAN_ERROR_CODES)[number];
}

const REST_STATUSES = ['SB', 'OFF'] as const;
const MAX_TASKS = 50;
const MAX_WORK = 14 * 86_400_000;

/**
 * The earliest legal schedule for work that a driver has to do from now on, with breaks, splits, full rests and
 * restarts where needed. Legality is decided by the engine itself: the plan contains no driving that `evaluate` would
 * call a violation.
 *
 * @param log the past; anything after `now` is ignored
 */
export function plan(
  log: DutyLog,
  ruleSet: RuleSet,
  now: EpochMs,
  work: readonly Task[],
  options: PlanOptions = { sleeper: true },
): Result<Plan, PlanError> {
  if (work.length === 0) return failure({ code: 'no-work' });
  if (work.some(({ duration }) => !Number.isInteger(duration) || duration <= 0))
    return failure({ code: 'bad-duration' });
  const total = work.reduce((sum, { duration }) => sum + duration, 0);
  if (work.length > MAX_TASKS || total > MAX_WORK) return failure({ code: 'too-much-work' });
  const rules = rulesFor(log, ruleSet);
  const { state, status } = stateAt(log, rules, now);
  const start = startOf(state, status);
  // Resting in the berth is usually better, but not always: it may pair with an earlier rest, making past driving
  // legal, and then leave less time to drive.
  const all = (options.sleeper ? REST_STATUSES : (['OFF'] as const)).map(rest => cheapest(start, rules, work, rest));
  const found = all.reduce((best, other) =>
    best && (!other || best.step.state.at <= other.step.state.at) ? best : other,
  );
  if (found === null) return failure({ code: 'no-schedule' });
  const segments = segmentsTo(found.step);
  return success({
    segments,
    finish: found.step.state.at,
    isEarliest: all.every(one => one === null || one.isEarliest),
  });
}

function segmentsTo(last: Step): readonly Segment[] {
  const segments: Segment[] = [];
  for (let step: Step | null = last; step !== null; step = step.before) {
    if (step.before === null) break;
    const [status, start, end] = [step.status, step.before.state.at, step.state.at];
    const next = segments[0];
    if (status === null || end <= start) continue;
    if (next?.status === status) segments[0] = { status, start, end: next.end };
    else segments.unshift({ status, start, end });
  }
  return segments;
}
