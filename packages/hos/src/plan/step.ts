import { type EpochMs, type Milliseconds, milliseconds } from '@milepost/units';
import { drivingAhead, restingMoments } from '../engine/ahead.ts';
import { advance, type Rules, type State, settle } from '../engine/state.ts';
import { after, NOTHING, shorter, sum } from '../engine/time.ts';
import type { DutyStatus } from '../status.ts';
import type { Task } from './plan.ts';

/** A schedule up to an instant: the state there, what has been done, and how it came there. */
export interface Step {
  readonly state: State;
  /** What was done in this step; null at the start. */
  readonly status: DutyStatus | null;
  readonly before: Step | null;
  /** The task that is next or half done, and how much of it. */
  readonly task: number;
  readonly done: Milliseconds;
}

export const startOf = (state: State, status: DutyStatus | null): Step => ({
  state,
  status,
  before: null,
  task: 0,
  done: NOTHING,
});

/** The step that goes on with the work as far as the law lets it; null where it does not. */
export function workOn(step: Step, rules: Rules, work: readonly Task[]): Step | null {
  const task = work[step.task];
  if (!task) return null;
  const remaining = milliseconds(task.duration - step.done);
  const settled = settle(step.state, rules);
  const legal = task.activity === 'work' ? remaining : drivingAhead(settled, rules).driving;
  const length = shorter(remaining, legal);
  if (length <= 0) return null;
  const status = task.activity === 'work' ? 'ON' : 'D';
  const state = advance(step.state, rules, status, after(step.state.at, length));
  const isDone = length === remaining;
  return {
    state,
    status,
    before: step,
    task: isDone ? step.task + 1 : step.task,
    done: isDone ? NOTHING : sum(step.done, length),
  };
}

/**
 * Rests worth trying: those after which more may be driven than after any shorter one, until all that is left to drive
 * may be driven, or as much as full clocks allow; and, where rests can be split, those that could be half of a split.
 */
export function restsFrom(step: Step, rules: Rules, work: readonly Task[], status: 'OFF' | 'SB'): readonly Step[] {
  const { state } = step;
  const enough = Math.min(drivingLeft(step, work), mostWithoutPause(rules));
  const halves = new Set(halfMoments(state, rules, status));
  const moments = new Set([...restingMoments(state, rules, status), ...halves]);
  const steps: Step[] = [];
  let most = drivingAhead(settle(state, rules), rules).driving;
  for (const at of [...moments].sort((a, b) => a - b)) {
    if (at <= state.at) continue;
    const rested = advance(state, rules, status, at);
    const { driving } = drivingAhead(settle(rested, rules), rules);
    if (driving > most || halves.has(at)) steps.push({ ...step, state: rested, status, before: step });
    most = milliseconds(Math.max(most, driving));
    if (most >= enough) break;
  }
  return steps;
}

/** Resting until one of the next days begins: where each day must have time off, work may have to wait for one. */
export function restsToNextDays(step: Step, rules: Rules, status: 'OFF' | 'SB'): readonly Step[] {
  if (rules.ruleSet.timeOff === null) return [];
  const { state } = step;
  const today = rules.days.dayOf(state.at);
  return [1, 2].map(days => ({
    ...step,
    state: advance(state, rules, status, rules.days.startOf(today + days)),
    status,
    before: step,
  }));
}

/** What full clocks allow without a pause. */
const mostWithoutPause = ({ ruleSet }: Rules): number =>
  Math.min(ruleSet.drive.limit, ruleSet.window.limit, ruleSet.break?.limit ?? Number.POSITIVE_INFINITY);

/** When the rest will be as long as a half may have to be. */
function halfMoments({ at, rest }: State, { ruleSet: { split } }: Rules, status: 'OFF' | 'SB'): readonly EpochMs[] {
  if (split === null || status === 'OFF') return [];
  const long = split.longSleeper ?? split.each;
  const lengths = [split.each, milliseconds(split.total - long), long, milliseconds(split.total - split.each)];
  return lengths.flatMap(length => [after(rest?.start ?? at, length), after(rest?.inSleeperSince ?? at, length)]);
}

export function drivingLeft({ task, done }: Step, work: readonly Task[]): Milliseconds {
  let left = 0;
  for (const [index, { activity, duration }] of work.entries()) {
    if (index >= task && activity === 'drive') left += duration - (index === task ? done : 0);
  }
  return milliseconds(left);
}

export function workLeft({ task, done }: Step, work: readonly Task[]): number {
  let left = -done;
  for (const { duration } of work.slice(task)) left += duration;
  return left;
}
