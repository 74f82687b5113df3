import { type EpochMs, type Milliseconds, milliseconds } from '@milepost/units';
import type { Binding, Clock, Clocks } from '../evaluation.ts';
import type { RuleSet } from '../rule-set.ts';
import { breakAt } from './break.ts';
import { choose } from './choose.ts';
import { type Count, type DayLeft, FRESH, windowLimit, windowUsed } from './count.ts';
import { countedOn } from './cycle.ts';
import type { InForce } from './declared.ts';
import { countsNow } from './pairing.ts';
import { dayLeft, limitsAt, type Rules, type State } from './state.ts';
import { sum } from './time.ts';
import { beforeHoursLeft, periodicLeft } from './time-off.ts';

/** Where a driver stands at one instant: the pairing that applies, the limits in force and what is left of each. */
export interface Standing {
  readonly count: Count;
  readonly limits: InForce;
  readonly today: DayLeft | null;
  readonly cycleUsed: Milliseconds;
  readonly breakUsed: Milliseconds;
  readonly timeOffLeft: number;
}

/** @param state settled: the current rest has been counted */
export function standing(state: State, rules: Rules): Standing {
  const { ruleSet, days } = rules;
  const { at, shift } = state;
  const limits = limitsAt(state, rules);
  const today = days.dayOf(at);
  const timeLeft = (count: Count): readonly number[] => {
    const each = shiftLeft(count, limits, state, rules);
    return [Math.min(...each), each.reduce((all, one) => all + one, 0)];
  };
  return {
    count: choose(countsNow(shift.counts, ruleSet.split), timeLeft) ?? FRESH,
    limits,
    today: dayLeft(state.cycle, rules, today, limits.more),
    cycleUsed: countedOn(state.cycle, ruleSet.cycle, today),
    breakUsed: breakAt(state.break, ruleSet.break, at).driven,
    timeOffLeft:
      state.timeOff && ruleSet.timeOff
        ? Math.min(periodicLeft(state.timeOff, ruleSet.timeOff, at), beforeHoursLeft(state.timeOff, ruleSet.timeOff))
        : Number.POSITIVE_INFINITY,
  };
}

/** What one count leaves of the shift's limits, never below 0. */
function shiftLeft(count: Count, limits: InForce, { at }: State, { ruleSet }: Rules): readonly number[] {
  const each = [limits.drive - count.driven, windowLeft(count, limits, at, ruleSet)];
  if (ruleSet.onDuty) each.push(limits.onDuty - count.worked);
  return each.map(time => Math.max(0, time));
}

const windowLeft = (count: Count, limits: InForce, at: EpochMs, ruleSet: RuleSet): number =>
  windowLimit(count.used !== null, ruleSet, limits) - windowUsed(count, ruleSet.window.counts, at);

/** Driving that each rule alone would still allow at this instant. */
export function leftByRule(now: Standing, state: State, { ruleSet }: Rules): Readonly<Record<Binding, number>> {
  const { count, limits, today } = now;
  const none = Number.POSITIVE_INFINITY;
  if (limits.exempt) return { drive: none, window: none, onDuty: none, break: none, cycle: none, timeOff: none };
  return {
    drive: Math.min(limits.drive - count.driven, today?.drive ?? none),
    window: windowLeft(count, limits, state.at, ruleSet),
    onDuty: ruleSet.onDuty ? Math.min(limits.onDuty - count.worked, today?.onDuty ?? none) : none,
    break: ruleSet.break && !limits.breakWaived ? ruleSet.break.limit - now.breakUsed : none,
    cycle: ruleSet.cycle.limit - now.cycleUsed,
    timeOff: now.timeOffLeft,
  };
}

export function clocksOf(now: Standing, state: State, { ruleSet }: Rules): Clocks {
  const { count, limits, today } = now;
  const day = ruleSet.day;
  return {
    drive: stricter(
      clock(limits.drive, count.driven),
      today && day && dayClock(day.drive.limit, limits.more.drive, today.drive),
    ),
    window: clock(
      milliseconds(windowLimit(count.used !== null, ruleSet, limits)),
      windowUsed(count, ruleSet.window.counts, state.at),
    ),
    onDuty:
      ruleSet.onDuty &&
      stricter(
        clock(limits.onDuty, count.worked),
        today && day && dayClock(day.onDuty.limit, limits.more.onDuty, today.onDuty),
      ),
    break: ruleSet.break && !limits.breakWaived ? clock(ruleSet.break.limit, now.breakUsed) : null,
    cycle: clock(ruleSet.cycle.limit, now.cycleUsed),
  };
}

const clock = (limit: Milliseconds, used: number): Clock => ({
  limit,
  used: milliseconds(used),
  remaining: milliseconds(Math.max(0, limit - used)),
});

const dayClock = (ordinary: Milliseconds, more: Milliseconds, left: number): Clock =>
  clock(sum(ordinary, more), ordinary + more - left);

const stricter = (shift: Clock, day: Clock | null): Clock =>
  day !== null && day.limit - day.used < shift.limit - shift.used ? day : shift;
