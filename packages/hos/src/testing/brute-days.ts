import type { Exception } from '../exception.ts';
import type { RuleId } from '../rule-id.ts';
import type { BruteLimits } from './brute-limits.ts';
import { type BruteViolation, halfOf } from './brute-shift.ts';
import { at, floor, type Minutes, type Run } from './minutes.ts';

/** What the cycle leaves at a minute: counts the work of its days after the last restart. */
export function cycleLeft(log: Minutes, limits: BruteLimits, restarts: readonly Run[], minute: number): number {
  const oldest = at(log.day, minute) - limits.cycle[2] + 1;
  let from = minute;
  while (from > 0 && at(log.day, from - 1) >= oldest) from--;
  for (const run of restarts) if (run.end <= minute) from = Math.max(from, run.end);
  return floor(limits.cycle[1] * 60 - (at(log.worked, minute) - at(log.worked, from)));
}

/** Driving past the cycle, day by day. */
export function cycleViolations(log: Minutes, limits: BruteLimits, restarts: readonly Run[]): BruteViolation[] {
  const [rule, hours, days] = limits.cycle;
  const found = new PerDay(log);
  let [from, restart] = [0, 0];
  for (const minute of log.driving) {
    while (at(log.day, from) < at(log.day, minute) - days + 1) from++;
    for (let run = restarts[restart]; run && run.end <= minute; run = restarts[++restart])
      from = Math.max(from, run.end);
    if (log.exempt[minute]) continue;
    if (at(log.worked, minute) - at(log.worked, from) >= hours * 60) found.note(rule, minute);
  }
  return found.violations();
}

/** Canada: 24 hours off in 14 days, in cycle 2 also before 70 or 80 hours on duty; in the south 10 hours off a day. */
export function timeOffViolations(log: Minutes, limits: BruteLimits): BruteViolation[] {
  const { dayOffBefore } = limits;
  if (dayOffBefore === undefined) return [];
  const found = new PerDay(log);
  const longRests = log.runs.filter(run => run.end - run.start >= 24 * 60);
  let [rested, next] = [0, 0];
  for (const minute of log.driving) {
    for (let run = longRests[next]; run && run.end <= minute; run = longRests[++next]) rested = run.end;
    if (minute - rested >= 14 * 24 * 60) found.note('CA_24H_OFF_14D', minute);
    const worked = at(log.worked, minute) - at(log.worked, rested);
    if (dayOffBefore > 0 && worked >= dayOffBefore * 60) {
      found.note(dayOffBefore === 70 ? 'CA_24H_OFF_70H' : 'CA_24H_OFF_80H', minute);
    }
  }
  return [...found.violations(), ...(limits.daily ? dailyTimeOff(log, limits) : [])];
}

class PerDay {
  readonly #log: Minutes;
  readonly #found = new Map<string, BruteViolation>();

  constructor(log: Minutes) {
    this.#log = log;
  }

  note(rule: RuleId, minute: number): void {
    const key = `${rule} ${at(this.#log.day, minute)}`;
    const known = this.#found.get(key);
    this.#found.set(key, { rule, start: known?.start ?? minute, over: (known?.over ?? 0) + 1 });
  }

  violations = (): BruteViolation[] => [...this.#found.values()];
}

function dailyTimeOff(log: Minutes, limits: BruteLimits): BruteViolation[] {
  const found: BruteViolation[] = [];
  const declaredOn = (exception: Exception, day: number): boolean =>
    log.log.declarations.some(one => {
      const [from, to] = [one.start / 60_000 - log.first, one.end && one.end / 60_000 - log.first];
      if (one.exception !== exception || from < 0 || from > log.length) return false;
      const until = exception === 'deferral' || to === null ? from : Math.min(log.length, Math.ceil(to) - 1);
      return at(log.day, from) <= day && day <= at(log.day, until);
    });
  const adverse = (limits.adverse?.[3] ?? 0) * 60;
  const carried = new Map<Run, number>();
  let yesterday = Number.POSITIVE_INFINITY;
  for (let [start, end] = [0, 0]; start < log.length; start = end) {
    const day = at(log.day, start);
    while (end < log.length && at(log.day, end) === day) end++;
    // The day is not over yet.
    if (at(log.day, end) === day) break;
    // The time before the log counts as rest.
    const begins = start === 0 ? log.firstDayStart : start;
    let [off, beside] = [start - begins, start - begins];
    let splitting = false;
    let crossing: Run | null = null;
    for (const run of log.runs) {
      const part = Math.max(0, Math.min(run.end, end) - Math.max(run.start, start));
      if (run.end - run.start < 30 || part === 0) continue;
      off += part;
      if (run.end > end && run.end - run.start >= limits.rest * 60) crossing = run;
      else beside += carried.get(run) ?? besideAlone(run, part, limits);
    }
    for (const run of log.runs) {
      if (at(log.day, run.start) !== day && at(log.day, run.end) !== day) continue;
      splitting ||= run.end - run.start < limits.rest * 60 && halfOf(run, limits) !== null;
    }
    const [less, lessBeside] = declaredOn('deferral', day)
      ? [120, 120]
      : declaredOn('adverseDriving', day)
        ? [adverse, adverse]
        : declaredOn('deferral', day - 1)
          ? [Math.min(0, yesterday - 600), 0]
          : [0, 0];
    const needed = Math.max(0, 120 - lessBeside);
    if (crossing) beside += acrossTheNight(log, crossing, end, needed - beside, limits, carried);
    const over = Math.max(600 - less - off, needed - beside);
    if (over > 0 && !splitting) found.push({ rule: 'CA_10H_OFF', start: begins, over });
    yesterday = off;
  }
  return found;
}

/**
 * The part of a day's rest that is outside the hours that end a shift. The time before the log counts as endless rest.
 */
const besideAlone = (run: Run, part: number, { rest }: BruteLimits): number =>
  run.start === 0 || run.end - run.start < rest * 60 ? part : run.end - run.start - rest * 60;

/** Tries every position for the hours that end a shift: the first day gets what it lacks, the next day what remains. */
function acrossTheNight(
  log: Minutes,
  run: Run,
  midnight: number,
  lacking: number,
  { rest }: BruteLimits,
  carried: Map<Run, number>,
): number {
  const part = midnight - run.start;
  let next = midnight;
  while (next < log.length && at(log.day, next) === at(log.day, midnight)) next++;
  // A rest of several days has room for them between its first and last day.
  if (run.start === 0 || run.end === log.length || run.end > next) {
    carried.set(run, run.end > next ? 0 : run.end - midnight);
    return part;
  }
  let best: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let from = run.start; from + rest * 60 <= run.end; from++) {
    const to = from + rest * 60;
    const outside = Math.min(from, midnight) - run.start + Math.max(0, midnight - to);
    least = Math.min(least, outside);
    if (outside >= lacking && (best === null || outside < best)) best = outside;
  }
  const given = best ?? least;
  carried.set(run, run.end - run.start - rest * 60 - given);
  return given;
}
