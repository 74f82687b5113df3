import { type EpochMs, epochMs, type Milliseconds, milliseconds } from '@milepost/units';
import type { DutyLog, Segment } from '../duty-log.ts';
import { rulesFor } from '../engine/state.ts';
import { evaluate, stateAt } from '../evaluate.ts';
import type { Binding } from '../evaluation.ts';
import { asDutyLog } from '../read-duty-log.ts';
import type { RuleSet } from '../rule-set.ts';
import type { DutyStatus } from '../status.ts';
import { type PlanOptions, plan } from './plan.ts';
import type { Task } from './step.ts';

/** A place to drive to, and what is done there. */
export interface JourneyStop {
  /** From the place before. */
  readonly driving: Milliseconds;
  /** Work begins no sooner; whoever is there before rests until then. */
  readonly from: EpochMs | null;
  /** Arrival no later. */
  readonly by: EpochMs | null;
  /** On duty, after the arrival. */
  readonly work: Milliseconds;
}

/** A schedule that reaches the stops in their order, all of it legal. */
export interface Journey {
  readonly arrivals: readonly EpochMs[];
  /** When the work at the last stop is done. */
  readonly finish: EpochMs;
  /** From now on, without gaps. */
  readonly segments: readonly Segment[];
  /** The log with the journey driven. */
  readonly log: DutyLog;
  /** Every arrival is in time. */
  readonly fits: boolean;
  /** No legal schedule is earlier at the first stop with a limit, or at the last stop if there is none. */
  readonly isEarliest: boolean;
}

export interface JourneyOptions extends PlanOptions {
  /** What the journey is answerable for begins here, if it waits before: a day of Canada's that has too little rest. */
  readonly since?: EpochMs;
}

/**
 * Plans a journey from now on: as early as the law allows at each stop with a limit of its own, in their order; null if
 * no legal schedule was found. A pure function of the log.
 */
export function journey(
  log: DutyLog,
  ruleSet: RuleSet,
  now: EpochMs,
  stops: readonly JourneyStop[],
  options: JourneyOptions = { sleeper: true },
): Journey | null {
  const { since = now } = options;
  let [past, at, isEarliest, isFirst] = [log, now, true, true];
  let pending: { readonly task: Task; readonly stop: number | null }[] = [];
  const arrivals: EpochMs[] = [];
  const segments: Segment[] = [];
  const go = (added: readonly Segment[], until: EpochMs): void => {
    past = driven(past, at, added);
    segments.push(...added);
    at = until;
  };
  const flush = (): boolean => {
    if (pending.length === 0) return true;
    const found = plan(
      past,
      ruleSet,
      at,
      pending.map(({ task }) => task),
      options,
    );
    if (!found.ok) return false;
    const ends = endsOf(
      found.value.segments,
      pending.map(({ task }) => task),
    );
    for (const [i, { stop }] of pending.entries()) if (stop !== null) arrivals[stop] = ends[i] ?? found.value.finish;
    if (isFirst) isEarliest = found.value.isEarliest;
    go(found.value.segments, found.value.finish);
    pending = [];
    return true;
  };
  for (const [stop, { driving, from, by, work }] of stops.entries()) {
    if (driving > 0) pending.push({ task: { activity: 'drive', duration: driving }, stop });
    const isLast = stop === stops.length - 1;
    if (driving <= 0 || from !== null || by !== null || isLast) {
      if (!flush()) return null;
      if (driving <= 0) arrivals[stop] = at;
      if (by !== null) isFirst = false;
    }
    if (from !== null && at < from && (work > 0 || !isLast)) {
      go([{ status: restOf(past, ruleSet, at), start: at, end: from }], from);
      isFirst = false;
    }
    if (work > 0) pending.push({ task: { activity: 'work', duration: work }, stop: null });
  }
  if (!flush()) return null;
  // Each part is legal by itself; that a day between two of them has its time off shows only in the whole.
  if (evaluate(past, ruleSet, at).violations.some(({ start }) => start >= since)) return null;
  const fits = stops.every(({ by }, i) => by === null || (arrivals[i] ?? Number.POSITIVE_INFINITY) <= by);
  return { arrivals, finish: at, segments, log: past, fits, isEarliest };
}

export interface Departure {
  readonly at: EpochMs;
  /** What a minute more would break: the time at a stop, or a rule that then asks for a rest first. */
  readonly limit: 'time' | Binding;
}

const MINUTE = 60_000;

/**
 * The last minute at which the driver can leave and reach all stops in time, resting until then; null if even leaving
 * now is too late, or no stop has a limit.
 */
export function lastDeparture(
  log: DutyLog,
  ruleSet: RuleSet,
  now: EpochMs,
  stops: readonly JourneyStop[],
  options: JourneyOptions = { sleeper: true },
): Departure | null {
  const { since = now } = options;
  const status = restOf(log, ruleSet, now);
  const waited = (at: number): DutyLog =>
    at <= now ? log : driven(log, now, [{ status, start: now, end: epochMs(at) }]);
  const from = (at: number): Journey | null => journey(waited(at), ruleSet, epochMs(at), stops, { ...options, since });
  const latest = latestStart(stops);
  let best = from(now);
  if (latest === null || !best?.fits) return null;
  let [low, high] = [0, Math.max(0, Math.floor((latest - now) / MINUTE))];
  // Usually the window alone is the limit, so its last minute is tried first.
  for (let middle = high; low < high; middle = Math.ceil((low + high) / 2)) {
    const tried = from(now + middle * MINUTE);
    if (tried?.fits) [low, best] = [middle, tried];
    else high = middle - 1;
  }
  // The plan may begin with a rest; where it needs a berth for that, its beginning is the last moment to go to bed.
  const left = best.segments.find(segment => segment.status === 'D')?.start;
  const at = left !== undefined && from(left)?.fits ? left : epochMs(now + low * MINUTE);
  const isDirect = isInTime(stops, at + MINUTE);
  const binds = evaluate(waited(at), ruleSet, at).next.binds;
  return { at, limit: isDirect && binds !== null ? binds : 'time' };
}

/** Whether someone who leaves then and never rests arrives in time. */
export function isInTime(stops: readonly JourneyStop[], start: number): boolean {
  let at = start;
  for (const { driving, from, by, work } of stops) {
    at += driving;
    if (by !== null && at > by) return false;
    at = Math.max(at, from ?? at) + work;
  }
  return true;
}

/** The latest start of a driver who never rests; null without a limit. */
function latestStart(stops: readonly JourneyStop[]): number | null {
  let latest = Number.POSITIVE_INFINITY;
  for (const { driving, by, work } of stops.toReversed()) {
    latest = Math.min(latest - work, by ?? Number.POSITIVE_INFINITY) - driving;
  }
  return Number.isFinite(latest) ? latest : null;
}

/** The log as it was until `at`, and what follows. */
function driven(log: DutyLog, at: EpochMs, added: readonly Segment[]): DutyLog {
  const past = log.segments.filter(({ start }) => start < at);
  const last = past.at(-1);
  return asDutyLog({
    ...log,
    segments: [...past.slice(0, -1), ...(last ? [{ ...last, end: at }] : []), ...added].filter(
      ({ start, end }) => end > start,
    ),
  });
}

function restOf(log: DutyLog, ruleSet: RuleSet, at: EpochMs): 'SB' | 'OFF' {
  return stateAt(log, rulesFor(log, ruleSet), at).status === 'SB' ? 'SB' : 'OFF';
}

/** When each task is done: tasks are done in their order, with rests between. */
function endsOf(segments: readonly Segment[], tasks: readonly Task[]): EpochMs[] {
  const parts: { status: DutyStatus; start: EpochMs; end: EpochMs }[] = segments
    .filter(({ status }) => status === 'D' || status === 'ON')
    .map(part => ({ ...part }));
  return tasks.map(({ activity, duration }) => {
    let [left, end] = [duration as number, parts[0]?.start ?? epochMs(0)];
    while (left > 0) {
      const part = parts[0];
      if (!part || (part.status === 'D') !== (activity === 'drive')) break;
      const taken = Math.min(left, part.end - part.start);
      left -= taken;
      end = epochMs(part.start + taken);
      if (end >= part.end) parts.shift();
      else part.start = end;
    }
    return end;
  });
}

/** What stops a driver before the end of a journey. */
export interface ForcedRest {
  readonly at: EpochMs;
  readonly length: Milliseconds;
  /** Driving that is still missing then. */
  readonly missing: Milliseconds;
  readonly binds: Binding | null;
}

/** The rests between driving, or before it, that the law asks for; by time. */
export function forcedRests({ segments, log }: Journey, ruleSet: RuleSet, from: EpochMs): ForcedRest[] {
  return segments.flatMap(({ status, start, end }, i) => {
    const after = segments.slice(i).reduce((sum, one) => sum + (one.status === 'D' ? one.end - one.start : 0), 0);
    if (start < from || status === 'D' || status === 'ON' || after === 0) return [];
    const { binds } = evaluate(log, ruleSet, start).next;
    return [{ at: start, length: milliseconds(end - start), missing: milliseconds(after), binds }];
  });
}
