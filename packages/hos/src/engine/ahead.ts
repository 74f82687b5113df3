import { type EpochMs, epochMs, type Milliseconds, milliseconds } from '@milepost/units';
import { BINDINGS, type Binding } from '../evaluation.ts';
import type { DutyStatus } from '../status.ts';
import { leftByRule, type Standing, standing } from './standing.ts';
import { advance, nextDeclaration, type Rules, type State, settle } from './state.ts';
import { earlier } from './time.ts';

/** Driving that is legal from an instant on without a pause, and what ends it. */
export interface Ahead {
  readonly driving: Milliseconds;
  readonly binds: Binding;
}

/**
 * Followed day by day, because a new day gives hours back: no more than the cycle's limit can come of it.
 *
 * @param state settled
 */
export function drivingAhead(state: State, rules: Rules, now: Standing = standing(state, rules)): Ahead {
  let driving = 0;
  let [at, here] = [state, now];
  for (;;) {
    const lefts = leftByRule(here, at, rules);
    const binds = BINDINGS.reduce((least, rule) => (lefts[rule] < lefts[least] ? rule : least));
    const left = Math.max(0, lefts[binds]);
    const same = earlier(rules.days.startOf(rules.days.dayOf(at.at) + 1), nextDeclaration(rules.declarations, at.at));
    if (left < same - at.at) return { driving: milliseconds(driving + left), binds };
    driving += same - at.at;
    at = advance(at, rules, 'D', same);
    here = standing(at, rules);
  }
}

/**
 * When driving is legal again for a driver who rests from now on. Only at certain instants can a rest give driving
 * back: when it is long enough for something, or when a day begins.
 *
 * @param state not settled: the rest that is going on goes on
 * @param status of the rest
 * @returns null when no rest of a month would do
 */
export function mayDriveAgain(state: State, rules: Rules, status: DutyStatus): EpochMs | null {
  for (const at of restingMoments(state, rules, status)) {
    const rested = settle(advance(state, rules, status, at), rules);
    if (drivingAhead(rested, rules).driving > 0) return at;
  }
  return null;
}

const DAYS_AHEAD = 31;

/** The instants from now on, in order, at which resting on may change what is legal. */
export function restingMoments(state: State, { ruleSet, days, declarations }: Rules, status: DutyStatus): EpochMs[] {
  const now = state.at;
  const start = state.rest?.start ?? now;
  const { split, timeOff, cycle } = ruleSet;
  const moments = new Set<number>();
  const add = (from: number, length: number | undefined): void => {
    if (length !== undefined) moments.add(from + length);
  };
  add(now, 0);
  add(state.break.idleSince ?? now, ruleSet.break?.length);
  add(start, ruleSet.rest.length);
  add(start, cycle.restart?.length);
  add(start, timeOff?.periodic.rest);
  add(start, timeOff?.beforeHours?.rest);
  if (split) {
    const sleeperStart = status === 'SB' ? (state.rest?.inSleeperSince ?? now) : null;
    const halfStarts = [
      ...(split.longSleeper === null ? [] : [start]),
      ...(sleeperStart === null ? [] : [sleeperStart]),
    ];
    for (const from of halfStarts) {
      add(from, split.each);
      add(from, split.longSleeper ?? undefined);
      for (const { last } of state.shift.counts) if (last) add(from, split.total - last.length);
    }
  }
  const today = days.dayOf(now);
  for (let day = today + 1; day <= today + DAYS_AHEAD; day++) moments.add(days.startOf(day));
  const end = days.startOf(today + DAYS_AHEAD);
  for (const { start, end } of declarations) for (const at of [start, end ?? start]) moments.add(at);
  return [...moments]
    .filter(at => at >= now && at <= end)
    .sort((a, b) => a - b)
    .map(epochMs);
}
