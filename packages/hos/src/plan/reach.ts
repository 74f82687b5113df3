import { type EpochMs, epochMs, type Milliseconds, milliseconds } from '@milepost/units';
import type { DutyLog } from '../duty-log.ts';
import { evaluate } from '../evaluate.ts';
import type { Binding } from '../evaluation.ts';
import type { RuleSetId } from '../rule-set-id.ts';
import { ruleSets } from '../rule-sets.ts';
import { forcedRests, isInTime, type JourneyStop, journey, lastDeparture } from './journey.ts';

/** Whether a driver can make a task, in data alone, so that it can be asked in another thread. */
export interface ReachAsk {
  readonly log: DutyLog;
  readonly ruleSet: RuleSetId;
  readonly now: EpochMs;
  /** What the driver has to do before. */
  readonly earlier: readonly JourneyStop[];
  /** The task's stops, at least one. */
  readonly stops: readonly JourneyStop[];
  /** The same, as if the driver went there at once. */
  readonly alone: readonly JourneyStop[];
}

export const LATE_CODES = ['window-over', 'busy', 'distance', 'break', 'hours', 'no-plan'] as const;

export interface LateReason {
  readonly code: (typeof LATE_CODES)[number];
  /** When the time was over, the driver is free, or driving must stop. */
  readonly at: EpochMs | null;
  /** How late, or the driving that is missing when it must stop. */
  readonly short: Milliseconds | null;
  readonly binds: Binding | null;
}

export interface Reach {
  readonly fits: boolean;
  readonly late: LateReason | null;
  /** When what comes before is done; null if nothing does. */
  readonly freeAt: EpochMs | null;
  /** At the first stop. */
  readonly arriveAt: EpochMs | null;
  /** At the last stop, when its work is done. */
  readonly finish: EpochMs | null;
  readonly leaveBy: EpochMs | null;
  readonly limit: 'time' | Binding | null;
  /** The first rest that the law asks for on the way to the first stop. */
  readonly rest: { readonly at: EpochMs; readonly length: Milliseconds } | null;
}

const SHORT_REST = 7_200_000;
const BREAK = 1_800_000;

/**
 * Whether, when and until when a driver can legally make a task. Rests are planned in a berth only for a driver whose
 * log shows one.
 *
 * @param isBrief leaves out the last departure, which takes the most time
 */
export function reach(ask: ReachAsk, isBrief = false): Reach {
  const { log, now, earlier, stops } = ask;
  const rules = ruleSets[ask.ruleSet];
  const options = { sleeper: log.segments.some(({ status }) => status === 'SB'), since: now };
  const done = earlier.length > 0 ? journey(log, rules, now, earlier, options) : null;
  const [past, begin] = done ? [done.log, done.finish] : [log, now];
  const isStuck = earlier.length > 0 && !done;
  const planned = isStuck ? null : journey(past, rules, begin, stops, options);
  const toFirst = planned && journey(past, rules, begin, stops.slice(0, 1), options);
  const rest = toFirst && forcedRests(toFirst, rules, begin)[0];
  const fits = planned?.fits ?? false;
  const departure = fits && !isBrief ? lastDeparture(past, rules, begin, stops, options) : null;
  return {
    fits,
    late: fits ? null : planned ? whyLate(ask, done?.finish ?? null) : late('no-plan'),
    freeAt: done?.finish ?? null,
    arriveAt: planned?.arrivals[0] ?? null,
    finish: planned?.finish ?? null,
    leaveBy: departure?.at ?? null,
    limit: departure?.limit ?? null,
    rest: rest ? { at: rest.at, length: rest.length } : null,
  };
}

/** Several at once. */
export const reachAll = (asks: readonly ReachAsk[], isBrief = false): Reach[] => asks.map(ask => reach(ask, isBrief));

const late = (code: LateReason['code'], more: Partial<LateReason> = {}): LateReason => ({
  ...{ code, at: null, short: null, binds: null },
  ...more,
});

/** Its time is over, other tasks or the distance alone take too long, or the hours ask for a rest first. */
function whyLate({ log, ruleSet, now, earlier, stops, alone }: ReachAsk, freeAt: EpochMs | null): LateReason {
  const rules = ruleSets[ruleSet];
  const all = [...earlier, ...stops];
  const due = all.find(({ by }) => by !== null)?.by ?? null;
  if (due !== null && due < now) return late('window-over', { at: due, short: milliseconds(now - due) });
  if (!isInTime(all, now)) {
    if (freeAt !== null && isInTime(alone, now)) return late('busy', { at: freeAt });
    return late('distance', { short: lateWithoutRest(all, now) });
  }
  const options = { sleeper: log.segments.some(({ status }) => status === 'SB') };
  const planned = journey(log, rules, now, all, options);
  const first = all.findIndex(({ by }, i) => by !== null && planned !== null && (planned.arrivals[i] ?? 0) > by);
  const there = planned && journey(log, rules, now, all.slice(0, first + 1), options);
  const rests = there ? forcedRests(there, rules, now) : [];
  // Of several, the longest makes it late.
  const rest = rests.toSorted((a, b) => b.length - a.length)[0];
  if (!rest) return late('no-plan');
  const { at, missing: short, binds } = rest;
  if (rest.length < SHORT_REST) return late('break', { at, short, binds });
  if (binds !== 'break' || !there) return late('hours', { at, short, binds });
  // The long rest begins where a break is due anyway: said is what ends after a break instead.
  const clocks = evaluate(there.log, rules, at).clocks;
  const ends = (['drive', 'window', 'onDuty', 'cycle'] as const)
    .map(clock => ({ clock, left: clocks[clock]?.remaining ?? Number.POSITIVE_INFINITY }))
    .reduce((least, one) => (one.left < least.left ? one : least));
  return late('hours', {
    at: epochMs(at + BREAK + ends.left),
    short: milliseconds(Math.max(0, short - ends.left)),
    binds: ends.clock,
  });
}

function lateWithoutRest(stops: readonly JourneyStop[], start: EpochMs): Milliseconds {
  let [at, most] = [start as number, 0];
  for (const { driving, from, by, work } of stops) {
    at += driving;
    if (by !== null) most = Math.max(most, at - by);
    at = Math.max(at, from ?? at) + work;
  }
  return milliseconds(most);
}
