import { type EpochMs, epochMs, milliseconds } from '@milepost/units';
import type { UncheckedLog } from '../duty-log.ts';
import type { Declaration } from '../exception.ts';
import { type HomeDays, homeDays } from '../home-days.ts';
import type { RuleSet } from '../rule-set.ts';
import { ACTIVITY_OF, type DutyStatus } from '../status.ts';
import { type BreakCount, driveOn, idle, pastBreak } from './break.ts';
import { choose } from './choose.ts';
import { type Count, type DayLeft, windowRule, withDriving, withUncounted, withWork } from './count.ts';
import { type CycleCount, dayCount, EMPTY_CYCLE, restarted, withDuty } from './cycle.ts';
import {
  type DayMore,
  type InForce,
  type LongDays,
  limitsInForce,
  NO_LONG_DAYS,
  nextDeclaration,
  withoutLimits,
} from './declared.ts';
import { halfOf } from './half.ts';
import { countsAfterRest, countsBeforeFullRest, FRESH_COUNTS } from './pairing.ts';
import type { Finding, PastLimit } from './past-limit.ts';
import { extendRest, type Rest, waitingIn } from './rest.ts';
import { earlier } from './time.ts';
import {
  endDays,
  type TimeOffCount,
  type TimeOffRequired,
  timeOffBefore,
  timeOffRequired,
  withDutyOn,
  withRest,
} from './time-off.ts';

/** What stays the same while a log is processed. */
export interface Rules {
  readonly ruleSet: RuleSet;
  readonly days: HomeDays;
  readonly declarations: readonly Declaration[];
  readonly timeOffRequired: TimeOffRequired;
}

/**
 * Everything about the past of a log that its future depends on. Immutable: each step returns a new state, so any state
 * can be continued in several ways (`evaluate` looks ahead, `plan` tries alternatives).
 */
export interface State {
  readonly at: EpochMs;
  /** The current rest, not yet counted; null while working. */
  readonly rest: Rest | null;
  /** The end of the last completed rest. */
  readonly restedUntil: EpochMs;
  readonly shift: Shift;
  readonly break: BreakCount;
  readonly cycle: CycleCount;
  readonly timeOff: TimeOffCount | null;
  readonly longDays: LongDays;
  /** Violations of completed shifts and days. */
  readonly closed: Closed | null;
}

/** From the first work after a full rest to the next full rest. */
export interface Shift {
  readonly start: EpochMs | null;
  /** Where the full rest before it began; declarations made since then apply to this shift. */
  readonly restedFrom: EpochMs;
  readonly counts: readonly Count[];
  readonly break: PastLimit | null;
}

export interface Closed {
  readonly finding: Finding;
  readonly before: Closed | null;
}

const newShift = (restedFrom: EpochMs): Shift => ({ start: null, restedFrom, counts: FRESH_COUNTS, break: null });

export function rulesFor(log: UncheckedLog, ruleSet: RuleSet): Rules {
  const days = homeDays(log.terminal);
  const daily = ruleSet.timeOff?.daily;
  const required = daily
    ? timeOffRequired(daily, ruleSet.exceptions, log.declarations, days)
    : () => ({ all: 0, beside: 0 });
  return { ruleSet, days, declarations: log.declarations, timeOffRequired: required };
}

/** The time before the log counts as rest: all clocks are full. */
export const stateBefore = (start: EpochMs, { ruleSet, days }: Rules): State => ({
  at: start,
  rest: null,
  shift: newShift(epochMs(Number.NEGATIVE_INFINITY)),
  restedUntil: epochMs(Number.NEGATIVE_INFINITY),
  break: { driven: milliseconds(0), from: start, idleSince: start },
  cycle: EMPTY_CYCLE,
  timeOff: ruleSet.timeOff && timeOffBefore(start, days),
  longDays: NO_LONG_DAYS,
  closed: null,
});

/** The state after `status` has lasted from the current instant up to `until`. */
export function advance(state: State, rules: Rules, status: DutyStatus, until: EpochMs): State {
  if (until <= state.at) return state;
  const activity = ACTIVITY_OF[status];
  if (activity === 'rest') {
    const rest = extendRest(state.rest, status, state.at, until);
    return { ...state, at: until, rest, break: idle(state.break, state.at) };
  }
  let now = settle(state, rules);
  while (now.at < until) {
    const day = rules.days.dayOf(now.at);
    const end = earlier(earlier(until, rules.days.startOf(day + 1)), nextDeclaration(rules.declarations, now.at));
    now = duty(now, rules, activity === 'drive', day, end);
  }
  return now;
}

/**
 * The state with the current rest counted as though it ended now.
 *
 * @param goesOn whether the rest may continue: if so, the day in which it began is not judged yet
 */
export function settle(state: State, rules: Rules, goesOn = false): State {
  const { rest } = state;
  if (rest === null) return state;
  const { ruleSet, days, declarations } = rules;
  const { restart } = ruleSet.cycle;
  const restarts = restart !== null && rest.length >= restart.length;
  const isFull = rest.length >= ruleSet.rest.length;
  const counted: State = {
    ...state,
    rest: null,
    restedUntil: rest.end,
    cycle: restarts ? restarted(state.cycle, rest.end) : state.cycle,
    timeOff:
      state.timeOff &&
      ruleSet.timeOff &&
      withRest(state.timeOff, ruleSet.timeOff, days, rest, {
        endsShift: isFull ? ruleSet.rest.length : null,
        isHalf: !isFull && isHalf(rest, ruleSet),
        goesOn,
        beside: day => rules.timeOffRequired(day, null).beside,
      }),
    longDays: restarts ? { ...state.longDays, restartDay: days.dayOf(rest.end) } : state.longDays,
  };
  if (isFull) return closeShift(counted, rules, rest);
  const waiting = milliseconds(
    ruleSet.exceptions.wellSiteWaiting ? waitingIn(rest, state.restedUntil, declarations) : 0,
  );
  const counts = countsAfterRest(state.shift.counts, ruleSet, rest, waiting);
  return { ...counted, shift: { ...state.shift, counts } };
}

const isHalf = (rest: Rest, { split }: RuleSet): boolean => split !== null && halfOf(rest, split) !== null;

function closeShift(state: State, { ruleSet, days }: Rules, rest: Rest): State {
  const { shift, longDays } = state;
  if (shift.start === null) return { ...state, shift: newShift(shift.restedFrom) };
  const count = choose(countsBeforeFullRest(shift.counts, ruleSet.split, rest), null);
  const day = days.dayOf(shift.start);
  const used = count?.usedLongWindow
    ? { ...longDays, days: [...longDays.days.filter(other => other > day - 7), day] }
    : longDays;
  const closed = close(state.closed, findingsOf(shift, count, ruleSet));
  return { ...state, shift: newShift(rest.start), longDays: used, closed };
}

/** The shift's violations under one of its counts. */
export function findingsOf(shift: Shift, count: Count | null, ruleSet: RuleSet): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (rule: Finding['rule'] | undefined, past: PastLimit | null, used: Finding['used']): void => {
    if (rule !== undefined && past !== null) findings.push({ rule, past, used });
  };
  add(ruleSet.drive.rule, count?.drive ?? null, count?.used ?? null);
  add(windowRule(Boolean(count?.used), ruleSet).rule, count?.window ?? null, count?.used ?? null);
  add(ruleSet.onDuty?.rule, count?.onDuty ?? null, count?.used ?? null);
  add(ruleSet.break?.rule, shift.break, null);
  return findings;
}

export function close(closed: Closed | null, findings: readonly Finding[]): Closed | null {
  let list = closed;
  for (const finding of findings) list = { finding, before: list };
  return list;
}

/** Adds work or driving from the current instant up to `end`, within one day and one set of declarations. */
function duty(state: State, rules: Rules, driving: boolean, day: number, end: EpochMs): State {
  const { ruleSet, days } = rules;
  const start = state.at;
  const shiftStart = state.shift.start ?? start;
  const rolled = rollDay(state, rules, day);
  const limits = limitsAt({ ...state, shift: { ...state.shift, start: shiftStart } }, rules);
  const cycle = withDuty(state.cycle, ruleSet.cycle, days, day, driving, start, end, limits.exempt);
  const timeOff =
    rolled.timeOff && ruleSet.timeOff && withDutyOn(rolled.timeOff, ruleSet.timeOff, day, driving, start, end);
  const next = { ...state, at: end, rest: null, cycle, timeOff, closed: rolled.closed };
  const isUncounted = limits.exempt?.counts === false;
  if (!driving || isUncounted) {
    const add = isUncounted ? withUncounted : withWork;
    const counts = state.shift.counts.map(count => add(count, start, end));
    const since = driving ? driveOn(state.break, ruleSet.break, start, start) : idle(state.break, start);
    return { ...next, shift: { ...state.shift, start: shiftStart, counts }, break: since };
  }
  const applied = withoutLimits(limits);
  const today = limits.exempt ? null : dayLeft(state.cycle, rules, day, limits.more);
  return {
    ...next,
    shift: {
      ...state.shift,
      start: shiftStart,
      counts: state.shift.counts.map(count => withDriving(count, ruleSet, applied, today, start, end)),
      break: pastBreak(state.shift.break, state.break, ruleSet.break, applied.breakWaived, start, end),
    },
    break: driveOn(state.break, ruleSet.break, start, end),
  };
}

/** The shift's limits at the state's instant. */
export function limitsAt({ at, shift, longDays }: State, { ruleSet, days, declarations }: Rules): InForce {
  const start = shift.start ?? at;
  return limitsInForce(ruleSet, declarations, longDays, start, shift.restedFrom, days.dayOf(start), at);
}

/** What the daily limits leave (Canada s. 12), with `more` added; null where the rule set has none. */
export function dayLeft(cycle: CycleCount, { ruleSet, days }: Rules, day: number, more: DayMore): DayLeft | null {
  if (ruleSet.day === null) return null;
  const today = dayCount(cycle, day);
  return {
    start: days.startOf(day),
    drive: ruleSet.day.drive.limit + more.drive - (today?.driven ?? 0),
    onDuty: ruleSet.day.onDuty.limit + more.onDuty - (today?.worked ?? 0),
  };
}

/** Closes the days before `day`: at most one violation a day each for the cycle and for time off. */
export function rollDay(state: State, rules: Rules, day: number): Pick<State, 'timeOff' | 'closed'> {
  const { ruleSet, days, timeOffRequired: required } = rules;
  let { timeOff, closed } = state;
  const { past } = state.cycle;
  if (past && dayCount(state.cycle, day) === null) {
    closed = close(closed, [{ rule: ruleSet.cycle.rule, past, used: null }]);
  }
  if (timeOff && ruleSet.timeOff) {
    const ended = endDays(timeOff, ruleSet.timeOff, required, days, day);
    timeOff = ended.count;
    closed = close(closed, ended.findings);
  }
  return { timeOff, closed };
}
