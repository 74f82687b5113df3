import { type EpochMs, type Milliseconds, milliseconds } from '@milepost/units';
import { drivingAhead, restingMoments } from '../engine/ahead.ts';
import { leftByRule, standing } from '../engine/standing.ts';
import { advance, type Rules, type State, settle } from '../engine/state.ts';
import { after, NOTHING, shorter, sum } from '../engine/time.ts';
import { BINDINGS, type Binding } from '../evaluation.ts';
import type { DutyStatus } from '../status.ts';

/** A task, done in list order: driving, or on-duty work that is not interrupted. */
export interface Task {
  readonly activity: 'drive' | 'work';
  readonly duration: Milliseconds;
}

/** A schedule up to an instant: the state then, the work done, and the step before it. */
export interface Step {
  readonly state: State;
  /** What was done in this step; null at the start. */
  readonly status: DutyStatus | null;
  readonly before: Step | null;
  /** The index of the task that is next or in progress, and how much of it is done. */
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

/** The step that continues the work as far as the law allows; null where it allows none. */
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
 * Rests worth trying: those after which some rule allows more driving than after any shorter rest, until every rule
 * allows either the remaining work or its maximum; and, where rests can be split, those that could be half of a split.
 */
export function restsFrom(step: Step, rules: Rules, work: readonly Task[], status: 'OFF' | 'SB'): readonly Step[] {
  const { state } = step;
  const halves = new Set(halfMoments(state, rules, status));
  const moments = new Set([...restingMoments(state, rules, status), ...halves]);
  const enough = enoughFor(workLeft(step, work), rules);
  const steps: Step[] = [];
  const most = allowed(state, rules);
  for (const at of [...moments].sort((a, b) => a - b)) {
    if (at <= state.at) continue;
    const rested = advance(state, rules, status, at);
    const now = allowed(rested, rules);
    let gains = false;
    for (const rule of BINDINGS) {
      if (now[rule] <= most[rule]) continue;
      gains = true;
      most[rule] = now[rule];
    }
    if (gains || halves.has(at)) steps.push({ ...step, state: rested, status, before: step });
    if (BINDINGS.every(rule => now[rule] >= enough[rule])) break;
  }
  return steps;
}

/** Driving that each rule allows after resting until here, at least 0. */
function allowed(state: State, rules: Rules): Record<Binding, number> {
  const settled = settle(state, rules);
  const lefts = { ...leftByRule(standing(settled, rules), settled, rules) };
  for (const rule of BINDINGS) lefts[rule] = Math.max(0, lefts[rule]);
  return lefts;
}

/** The most that any rest can give, or that the work needs. */
function enoughFor(work: number, { ruleSet }: Rules): Record<Binding, number> {
  const none = Number.POSITIVE_INFINITY;
  return {
    drive: ruleSet.drive.limit,
    window: ruleSet.window.limit,
    onDuty: ruleSet.onDuty?.limit ?? none,
    break: ruleSet.break?.limit ?? none,
    cycle: Math.min(work, ruleSet.cycle.limit),
    timeOff: work,
  };
}

/**
 * Rests that end when one of the next days begins: where each day requires time off, work may have to wait for the next
 * day.
 */
export function restsToNextDays(step: Step, rules: Rules, status: 'OFF' | 'SB'): readonly Step[] {
  if (!rules.ruleSet.timeOff?.daily) return [];
  const { state } = step;
  const today = rules.days.dayOf(state.at);
  return [1, 2].map(days => ({
    ...step,
    state: advance(state, rules, status, rules.days.startOf(today + days)),
    status,
    before: step,
  }));
}

/** The instants at which the rest becomes long enough to be half of a split. */
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
