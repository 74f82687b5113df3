import { type EpochMs, type Milliseconds, milliseconds } from '@milepost/units';
import type { Declaration } from '../exception.ts';
import type { HomeDays } from '../home-days.ts';
import type { DailyTimeOff, Exceptions, TimeOff } from '../rule-set.ts';
import { addDriving, type Finding, type PastLimit } from './past-limit.ts';
import type { Rest } from './rest.ts';
import { after, between, earlier, later, NOTHING, sum } from './time.ts';

/** Canada's time-off requirements (SOR/2005-313 s. 14, 25 and 27(b); north of 60°, s. 50 and 52(b)). */
export interface TimeOffCount {
  /** Time off duty today and yesterday, where those days have work in them. */
  readonly days: readonly DayOff[];
  /** Where the log begins. */
  readonly from: EpochMs;
  /** The end of the last long rest under s. 25, and under s. 27(b) with the work since. */
  readonly restedAt: EpochMs;
  readonly freshAt: EpochMs;
  readonly worked: Milliseconds;
  /** Driving past s. 25 and past s. 27(b) today. */
  readonly periodic: PastLimit | null;
  readonly beforeHours: PastLimit | null;
  /** The day up to which earlier days have been judged. */
  readonly today: number;
}

interface DayOff {
  readonly day: number;
  readonly off: Milliseconds;
  /** The part that is outside the 8 hours that end a work shift: s. 14(3). */
  readonly beside: Milliseconds;
  /** The day contains a rest that may be half of a split: s. 18 then applies instead of s. 14. */
  readonly split: boolean;
}

/** The time before the log counts as rest. */
export function timeOffBefore(start: EpochMs, homeDays: HomeDays): TimeOffCount {
  const day = homeDays.dayOf(start);
  const off = between(homeDays.startOf(day), start);
  const days = [{ day, off, beside: off, split: false }];
  return {
    days,
    from: start,
    restedAt: start,
    freshAt: start,
    worked: NOTHING,
    periodic: null,
    beforeHours: null,
    today: day,
  };
}

/** How a rest counts, apart from its times. */
export interface RestMeans {
  /** The part that ends a work shift (s. 13), or null where the rest is too short for that. */
  readonly endsShift: Milliseconds | null;
  /** Whether it may be half of a split. */
  readonly isHalf: boolean;
  /** Whether the rest may continue. */
  readonly goesOn: boolean;
  /** Time off that a day needs outside the rests that end a shift. */
  readonly beside: (day: number) => number;
}

/** Adds a rest that has ended, or its part so far. */
export function withRest(
  count: TimeOffCount,
  rules: TimeOff,
  homeDays: HomeDays,
  rest: Rest,
  means: RestMeans,
): TimeOffCount {
  const restedAt = rest.length >= rules.periodic.rest ? rest.end : count.restedAt;
  const fresh = rules.beforeHours !== null && rest.length >= rules.beforeHours.rest;
  let days = count.days;
  if (rules.daily && rest.length >= rules.daily.block) {
    const [first, last] = [homeDays.dayOf(rest.start), homeDays.dayOf(rest.end)];
    const parts = (first === last ? [first] : [first, last]).map(day => {
      const start = later(rest.start, homeDays.startOf(day));
      return { day, length: between(start, earlier(rest.end, homeDays.startOf(day + 1))) };
    });
    const beside = besideIn(parts, count, rest, means);
    for (const [index, { day, length }] of parts.entries()) {
      days = withDay(days, day, length, beside[index] ?? length, means.isHalf);
    }
  }
  return {
    ...count,
    days,
    restedAt,
    freshAt: fresh ? rest.end : count.freshAt,
    worked: fresh ? NOTHING : count.worked,
  };
}

/**
 * How much of a rest each day has outside the hours that end the shift. Those hours may lie anywhere in the rest, in
 * one piece (s. 14(3)): the first day gets what it lacks, the last day what remains. The time before the log counts as
 * endless rest.
 */
function besideIn(
  parts: readonly { readonly day: number; readonly length: Milliseconds }[],
  count: TimeOffCount,
  rest: Rest,
  { endsShift, goesOn, beside }: RestMeans,
): readonly Milliseconds[] {
  const lengths = parts.map(({ length }) => length);
  const [first, last] = parts;
  if (!first || endsShift === null || rest.start === count.from) return lengths;
  const spare = rest.length - endsShift;
  if (!last) return [milliseconds(spare)];
  if (goesOn || rest.length - first.length - last.length >= endsShift) return lengths;
  const known = count.days.find(({ day }) => day === first.day)?.beside ?? 0;
  const lacking = beside(first.day) - known;
  const [least, most] = [Math.max(0, spare - last.length), Math.min(first.length, spare)];
  const given = lacking > most ? least : Math.max(least, lacking);
  return [milliseconds(given), milliseconds(spare - given)];
}

function withDay(
  days: readonly DayOff[],
  day: number,
  off: Milliseconds,
  beside: Milliseconds,
  split: boolean,
): readonly DayOff[] {
  const known = days.find(entry => entry.day === day);
  const entry = {
    day,
    off: sum(known?.off ?? NOTHING, off),
    beside: sum(known?.beside ?? NOTHING, beside),
    split: split || known?.split === true,
  };
  return [...days.filter(other => other.day !== day), entry];
}

/** Adds work or driving on one day. */
export function withDutyOn(
  count: TimeOffCount,
  rules: TimeOff,
  day: number,
  driving: boolean,
  start: EpochMs,
  end: EpochMs,
): TimeOffCount {
  const known = count.days.some(entry => entry.day === day);
  const days = known ? count.days : [...count.days, { day, off: NOTHING, beside: NOTHING, split: false }];
  const worked = sum(count.worked, between(start, end));
  if (!driving) return { ...count, days, worked };
  const periodic = addDriving(
    count.periodic,
    start,
    end,
    periodicLeft(count, rules, start),
    count.restedAt,
    rules.periodic.clause,
  );
  const beforeHours =
    rules.beforeHours &&
    addDriving(count.beforeHours, start, end, beforeHoursLeft(count, rules), count.freshAt, rules.beforeHours.clause);
  return { ...count, days, worked, periodic, beforeHours };
}

export const periodicLeft = (count: TimeOffCount, rules: TimeOff, at: EpochMs): number =>
  after(count.restedAt, rules.periodic.within) - at;

export const beforeHoursLeft = (count: TimeOffCount, rules: TimeOff): number =>
  rules.beforeHours === null ? Number.POSITIVE_INFINITY : rules.beforeHours.limit - count.worked;

/**
 * The violations of the days before `today`, and the count without those days. Yesterday stays, because it may have
 * deferred time.
 */
export function endDays(
  count: TimeOffCount,
  rules: TimeOff,
  required: TimeOffRequired,
  homeDays: HomeDays,
  today: number,
): { readonly count: TimeOffCount; readonly findings: readonly Finding[] } {
  if (today === count.today) return { count, findings: [] };
  const findings: Finding[] = [];
  if (count.periodic) findings.push({ rule: rules.periodic.rule, past: count.periodic, used: null });
  if (count.beforeHours && rules.beforeHours) {
    findings.push({ rule: rules.beforeHours.rule, past: count.beforeHours, used: null });
  }
  const { daily } = rules;
  if (!daily) return { count: { ...count, days: [], periodic: null, beforeHours: null, today }, findings };
  for (const { day, off, beside, split } of count.days) {
    if (day < count.today || day >= today || split) continue;
    const yesterday = count.days.find(entry => entry.day === day - 1);
    const needs = required(day, yesterday?.off ?? null);
    const [missing, missingBeside] = [needs.all - off, needs.beside - beside];
    const over = milliseconds(Math.max(missing, missingBeside));
    if (over <= 0) continue;
    const clause = missing >= missingBeside ? daily.clause : daily.beside.clause;
    const [start, end] = [homeDays.startOf(day), homeDays.startOf(day + 1)];
    const past = { start, end, over, countedFrom: start, clause };
    findings.push({ rule: daily.rule, past, used: null });
  }
  const days = count.days.filter(entry => entry.day >= today - 1);
  return { count: { ...count, days, periodic: null, beforeHours: null, today }, findings };
}

/** Time off that a day needs, in total and outside the rests that end a shift, in milliseconds. */
export type TimeOffRequired = (
  day: number,
  yesterday: Milliseconds | null,
) => { readonly all: number; readonly beside: number };

/**
 * Time off that a day needs: s. 14; less on a day that defers some, more on the next day (s. 16); less on a day of
 * adverse conditions (s. 76).
 */
export function timeOffRequired(
  rules: DailyTimeOff,
  { deferral, adverseDriving }: Exceptions,
  declarations: readonly Declaration[],
  homeDays: HomeDays,
): TimeOffRequired {
  const { limit, beside } = rules;
  const less = (by: Milliseconds) => ({ all: limit - by, beside: Math.max(0, beside.limit - by) });
  const ordinary = less(NOTHING);
  const defers = (day: number): boolean =>
    declarations.some(({ exception, start }) => exception === 'deferral' && homeDays.dayOf(start) === day);
  const isAdverse = (day: number): boolean =>
    declarations.some(
      ({ exception, start, end }) =>
        exception === 'adverseDriving' &&
        homeDays.dayOf(start) <= day &&
        (end === null ? homeDays.dayOf(start) === day : end > homeDays.startOf(day)),
    );
  return (day, yesterday) => {
    if (deferral && defers(day)) return less(deferral.most);
    if (adverseDriving && isAdverse(day)) return less(adverseDriving.timeOff);
    if (!deferral || yesterday === null || !defers(day - 1)) return ordinary;
    return { all: Math.max(limit, 2 * limit - yesterday), beside: beside.limit };
  };
}
