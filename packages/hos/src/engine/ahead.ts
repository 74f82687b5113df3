import { type EpochMs, epochMs, fromHours, type Milliseconds, milliseconds } from '@milepost/units';
import { BINDINGS, type Binding } from '../evaluation.ts';
import type { DutyStatus } from '../status.ts';
import { nextDeclaration } from './declared.ts';
import { leftByRule, type Standing, standing } from './standing.ts';
import { advance, type Rules, type State, settle } from './state.ts';
import { earlier } from './time.ts';

/** How long the driver may legally drive without stopping, and what ends it. */
export interface Ahead {
  readonly driving: Milliseconds;
  readonly binds: Binding;
}

const DAYS_AHEAD = 31;
/** Longer than any rule lets anyone drive. */
export const MOST_AHEAD = fromHours(DAYS_AHEAD * 24);

/**
 * Goes day by day, because a new day can give hours back, up to the cycle's limit. Under an exemption without an end
 * nothing ends it; the count then stops after `MOST_AHEAD`.
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
    if (driving >= MOST_AHEAD) return { driving: MOST_AHEAD, binds };
    at = advance(at, rules, 'D', same);
    here = standing(at, rules);
  }
}

/**
 * When a driver who rests from now on may legally drive again. A rest can give driving time back only at certain
 * instants: when it becomes long enough for a rule, or when a day begins.
 *
 * @param state not settled: the current rest continues
 * @param status of the rest
 * @returns null when even a month of rest would not be enough
 */
export function mayDriveAgain(state: State, rules: Rules, status: DutyStatus): EpochMs | null {
  for (const at of restingMoments(state, rules, status)) {
    const rested = settle(advance(state, rules, status, at), rules);
    if (drivingAhead(rested, rules).driving > 0) return at;
  }
  return null;
}

/** The instants from now on, in order, at which continued rest may change what is legal. */
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
