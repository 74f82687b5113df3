import type { Rules } from '../engine/state.ts';
import { isExemption } from '../exception.ts';
import { drivingLeft, restsFrom, restsToNextDays, type Step, type Task, workLeft, workOn } from './step.ts';

export interface Found {
  readonly step: Step;
  readonly isEarliest: boolean;
}

/**
 * Keeps the search imperceptible on a phone; a longer search falls back to the best schedule that simple full rests
 * give.
 */
const MAX_EXPANSIONS = 150;

/**
 * Best-first search: always continues the schedule that could finish earliest, until one is finished. The estimate is a
 * lower bound: the remaining work plus the least rest that it needs.
 */
export function cheapest(start: Step, rules: Rules, work: readonly Task[], status: 'OFF' | 'SB'): Found | null {
  const open: Candidate[] = [];
  const seen = new Set<string>();
  const add = (step: Step | null): void => {
    if (step === null || breaksDailyTimeOff(step, start, rules)) return;
    const key = keyOf(step);
    if (seen.has(key)) return;
    seen.add(key);
    insert(open, { step, finish: step.state.at + workLeft(step, work) + leastRest(step, rules, work) });
  };
  add(start);
  for (let expansions = 0; expansions < MAX_EXPANSIONS; expansions++) {
    const best = open.pop();
    if (!best) return null;
    if (best.step.task >= work.length) return { step: best.step, isEarliest: true };
    const worked = workOn(best.step, rules, work);
    add(worked);
    for (const rested of restsFrom(best.step, rules, work, status)) add(rested);
    for (const rested of restsToNextDays(best.step, rules, status)) add(rested);
  }
  const simple = restFully(start, rules, work, status);
  return simple && { step: simple, isEarliest: false };
}

interface Candidate {
  readonly step: Step;
  readonly finish: number;
}

/** Sorted latest first, so that the earliest is popped; among equals, the one that has done more is popped first. */
function insert(open: Candidate[], candidate: Candidate): void {
  let [low, high] = [0, open.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = open[middle];
    if (other && isAfter(other, candidate)) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, candidate);
}

const isAfter = (a: Candidate, b: Candidate): boolean =>
  a.finish !== b.finish ? a.finish > b.finish : a.step.state.at < b.step.state.at;

/** Two schedules are the same when they have done the same work by the same time after the same rests. */
function keyOf({ state, task, done }: Step): string {
  const { rest, shift, cycle } = state;
  const counts = shift.counts.map(({ from, paused, driven, last }) => `${from} ${paused} ${driven} ${last?.end}`);
  const days = cycle.days.map(({ day, counted }) => `${day}:${counted}`);
  return `${state.at} ${task} ${done} ${rest?.start} ${state.break.driven} ${counts.join()} ${days.join()}`;
}

/**
 * A lower bound on the rest that this much remaining driving needs. The current shift may contain one shift's driving,
 * and rests already taken may pair with another; every further shift needs a full rest, except under an exemption.
 */
function leastRest(step: Step, rules: Rules, work: readonly Task[]): number {
  const { rest, drive } = rules.ruleSet;
  if (rules.declarations.some(({ exception }) => isExemption(exception))) return 0;
  const shifts = drivingLeft(step, work) / drive.limit;
  return Math.max(0, shifts - 2) * rest.length;
}

/** The schedule of a driver who, whenever driving is not legal, rests until nothing more is gained. */
function restFully(start: Step, rules: Rules, work: readonly Task[], status: 'OFF' | 'SB'): Step | null {
  let step = start;
  for (let steps = 0; steps < 500; steps++) {
    if (breaksDailyTimeOff(step, start, rules)) return null;
    if (step.task >= work.length) return step;
    const next: Step | null = workOn(step, rules, work) ?? restsFrom(step, rules, work, status).at(-1) ?? null;
    if (next === null) return null;
    step = next;
  }
  return null;
}

/**
 * A planned day with too little time off (Canada s. 14) makes a schedule illegal; the day of `now` may already be in
 * violation.
 */
function breaksDailyTimeOff(step: Step, start: Step, { ruleSet, days }: Rules): boolean {
  const daily = ruleSet.timeOff?.daily;
  if (!daily) return false;
  const today = days.dayOf(start.state.at);
  for (let entry = step.state.closed; entry !== start.state.closed && entry !== null; entry = entry.before) {
    const { rule, past } = entry.finding;
    if (rule === daily.rule && days.dayOf(past.start) > today) return true;
  }
  return false;
}
