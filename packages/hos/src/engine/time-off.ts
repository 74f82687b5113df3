import { type EpochMs, type Milliseconds, milliseconds } from '@milepost/units';
import type { Declaration } from '../exception.ts';
import type { HomeDays } from '../home-days.ts';
import type { Exceptions, TimeOff } from '../rule-set.ts';
import { addDriving, type Finding, type PastLimit } from './past-limit.ts';
import type { Rest } from './rest.ts';
import { after, between, earlier, later, NOTHING, sum } from './time.ts';

/** Canada's demands for time off (SOR/2005-313 s. 14, 25, 27(b)). */
export interface TimeOffCount {
  /** Today's and yesterday's time off duty, as far as they have work in them. */
  readonly days: readonly DayOff[];
  /** The end of the last long rest of s. 25, and of s. 27(b) with the work since. */
  readonly restedAt: EpochMs;
  readonly freshAt: EpochMs;
  readonly worked: Milliseconds;
  /** Driving past s. 25 and past s. 27(b) today. */
  readonly periodic: PastLimit | null;
  readonly beforeHours: PastLimit | null;
  /** Days before this one have been judged. */
  readonly today: number;
}

interface DayOff {
  readonly day: number;
  readonly off: Milliseconds;
  /** A rest that may be half of a split lies in it: s. 18 then takes the place of s. 14. */
  readonly split: boolean;
}

/** Before the log there is rest. */
export function timeOffBefore(start: EpochMs, homeDays: HomeDays): TimeOffCount {
  const day = homeDays.dayOf(start);
  const days = [{ day, off: between(homeDays.startOf(day), start), split: false }];
  return { days, restedAt: start, freshAt: start, worked: NOTHING, periodic: null, beforeHours: null, today: day };
}

/** With a rest that has ended, or has lasted so far. `split` tells whether it may be half of a split. */
export function withRest(
  count: TimeOffCount,
  rules: TimeOff,
  homeDays: HomeDays,
  rest: Rest,
  split: boolean,
): TimeOffCount {
  const restedAt = rest.length >= rules.periodic.rest ? rest.end : count.restedAt;
  const fresh = rules.beforeHours !== null && rest.length >= rules.beforeHours.rest;
  let days = count.days;
  if (rest.length >= rules.daily.block) {
    const [first, last] = [homeDays.dayOf(rest.start), homeDays.dayOf(rest.end)];
    for (const day of first === last ? [first] : [first, last]) {
      const start = later(rest.start, homeDays.startOf(day));
      const end = earlier(rest.end, homeDays.startOf(day + 1));
      days = withDay(days, day, between(start, end), split);
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

function withDay(days: readonly DayOff[], day: number, off: Milliseconds, split: boolean): readonly DayOff[] {
  const known = days.find(entry => entry.day === day);
  const entry = { day, off: known ? sum(known.off, off) : off, split: split || known?.split === true };
  return [...days.filter(other => other.day !== day), entry];
}

/** With work or driving on one day. */
export function withDutyOn(
  count: TimeOffCount,
  rules: TimeOff,
  day: number,
  driving: boolean,
  start: EpochMs,
  end: EpochMs,
): TimeOffCount {
  const known = count.days.some(entry => entry.day === day);
  const days = known ? count.days : [...count.days, { day, off: NOTHING, split: false }];
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

/** What the days before `today` did wrong, and the count without them. Yesterday stays: it may have deferred time. */
export function endDays(
  count: TimeOffCount,
  rules: TimeOff,
  required: (day: number, yesterday: Milliseconds | null) => number,
  homeDays: HomeDays,
  today: number,
): { readonly count: TimeOffCount; readonly findings: readonly Finding[] } {
  if (today === count.today) return { count, findings: [] };
  const findings: Finding[] = [];
  if (count.periodic) findings.push({ rule: rules.periodic.rule, past: count.periodic, used: null });
  if (count.beforeHours && rules.beforeHours) {
    findings.push({ rule: rules.beforeHours.rule, past: count.beforeHours, used: null });
  }
  for (const { day, off, split } of count.days) {
    if (day < count.today || day >= today || split) continue;
    const yesterday = count.days.find(entry => entry.day === day - 1);
    const missing = required(day, yesterday?.off ?? null) - off;
    const [start, end] = [homeDays.startOf(day), homeDays.startOf(day + 1)];
    if (missing <= 0) continue;
    const past = { start, end, over: milliseconds(missing), countedFrom: start, clause: rules.daily.clause };
    findings.push({ rule: rules.daily.rule, past, used: null });
  }
  const days = count.days.filter(entry => entry.day >= today - 1);
  return { count: { ...count, days, periodic: null, beforeHours: null, today }, findings };
}

/** Time off that a day needs: s. 14, or s. 16 for a day that defers some and the day after it. */
export function timeOffRequired(
  rules: TimeOff,
  { deferral }: Exceptions,
  declarations: readonly Declaration[],
  homeDays: HomeDays,
): (day: number, yesterday: Milliseconds | null) => number {
  const ordinary = rules.daily.limit;
  if (deferral === undefined) return () => ordinary;
  const defers = (day: number): boolean =>
    declarations.some(({ exception, start }) => exception === 'deferral' && homeDays.dayOf(start) === day);
  return (day, yesterday) => {
    if (defers(day)) return ordinary - deferral.most;
    return yesterday !== null && defers(day - 1) ? Math.max(ordinary, 2 * ordinary - yesterday) : ordinary;
  };
}
