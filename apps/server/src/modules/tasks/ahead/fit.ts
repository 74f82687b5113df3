import type { FitLimit, TaskFit, TaskFitReason } from '@milepost/contract';
import type { Binding, DutyLog, LateReason, Reach, ReachAsk, RuleSetId } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import type { BoardLog } from '../../logbook/board/board-row.ts';
import { iso } from '../../logbook/days/shown.ts';
import { before, type Errand, endOf, type Leg, legsOf, type Place } from './way.ts';

/** A driver's duty log, as the board remembers it. */
export interface Hours {
  readonly log: DutyLog;
  readonly ruleSet: RuleSetId;
}

/** Where a driver is, as far as that is known. */
export interface Whereabouts {
  readonly vehicle: TaskFit['vehicle'];
  readonly place: Place | null;
  readonly at: number | null;
  /** Too long ago to say where the vehicle is now. */
  readonly isOld: boolean;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Candidate {
  readonly driver: TaskFit['driver'];
  /** Null for a driver without a log. */
  readonly hours: Hours | null;
  readonly where: Whereabouts;
  readonly errands: readonly Errand[];
}

/** What has to be known before the hours can be asked; or why it isn't. */
export type Asked = { readonly ask: ReachAsk; readonly meters: number } | { readonly unknown: TaskFitReason };

export const reason = (code: TaskFitReason['code'], at: number | null = null): TaskFitReason => ({
  ...{ code, at: at === null ? null : iso(at), shortS: null, limit: null },
});

/** The way to a task from where the driver is, by the driver's other tasks before it. */
export function askOf({ hours, where, errands }: Candidate, task: Errand, now: number): Asked {
  const { vehicle, place, at, isOld } = where;
  if (task.stops.length === 0) return { unknown: reason('no-place') };
  if (!vehicle) return { unknown: reason('no-vehicle') };
  if (!place || at === null) return { unknown: reason('no-position') };
  if (isOld) return { unknown: reason('old-position', at) };
  if (!hours) return { unknown: reason('no-log') };
  const earlier: Leg[] = [];
  for (const errand of before(errands, task, now)) {
    earlier.push(...legsOf(errand, endOf(earlier, place), now, false));
  }
  const stops = legsOf(task, endOf(earlier, place), now, true);
  const alone = legsOf(task, place, now, true);
  return { ask: { ...hours, now: epochMs(now), earlier, stops, alone }, meters: stops[0]?.meters ?? 0 };
}

/** The name of a clock on the screen: the window of a shift is not the window of a task. */
const clockOf = (binds: Binding | null): FitLimit | null => (binds === 'window' ? 'shift' : binds);

export const reasonOf = ({ code, at, short, binds }: LateReason): TaskFitReason => ({
  code,
  at: at === null ? null : iso(at),
  shortS: short === null ? null : Math.round(short / 1000),
  limit: clockOf(binds),
});

const MOST_MS = 7 * 86_400_000;
const seconds = (ms: number): number => Math.floor(Math.min(ms, MOST_MS) / 1000);
const orNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** What a driver’s log says of now and of the day, whatever the task. */
export type Standing = Pick<TaskFit, 'driveLeftS' | 'shiftLeftS' | 'duty'>;
const NO_LOG: Standing = { driveLeftS: null, shiftLeftS: null, duty: [] };

/** @param span the time whose duty statuses are wanted; null for none */
export function standingOf(log: BoardLog | undefined, span: Span | null, now: number): Standing {
  if (log?.since == null) return NO_LOG;
  const { drive, window } = log.tracker.evaluate(epochMs(now)).clocks;
  const { segments } = log.tracker.log;
  const until = Math.min(now, span?.to ?? 0);
  const duty = segments.flatMap(({ status, start }, i) => {
    const from = Math.max(start, span?.from ?? now);
    const to = Math.min(segments[i + 1]?.start ?? until, until);
    return from < to ? [{ status, from: iso(from), to: iso(to) }] : [];
  });
  return { driveLeftS: seconds(drive.remaining), shiftLeftS: seconds(window.remaining), duty };
}

/** One driver's answer. */
export function fitOf({ driver, where }: Candidate, asked: Asked, reached: Reach | null, standing: Standing): TaskFit {
  const { vehicle, at } = where;
  const base: TaskFit = {
    ...{ driver, vehicle, positionAt: orNull(at), fits: null, reason: null, distanceM: null },
    ...{ freeAt: null, arriveAt: null, spareS: null, leaveBy: null, limit: null, rest: null, makesLate: [] },
    ...standing,
  };
  if ('unknown' in asked || !reached) return { ...base, reason: 'unknown' in asked ? asked.unknown : reason('no-log') };
  const { fits, late, freeAt, arriveAt, leaveBy, limit, rest } = reached;
  const by = asked.ask.stops[0]?.by ?? null;
  return {
    ...base,
    fits,
    reason: late && reasonOf(late),
    distanceM: asked.meters,
    freeAt: orNull(freeAt),
    arriveAt: orNull(arriveAt),
    spareS: by === null || arriveAt === null ? null : Math.round((by - arriveAt) / 1000),
    leaveBy: orNull(leaveBy),
    limit: limit === 'time' ? 'window' : clockOf(limit),
    // A second less would not be the rest that the law asks for.
    rest: rest && { at: iso(rest.at), lengthS: Math.ceil(rest.length / 1000) },
  };
}

const rank = ({ fits, makesLate }: TaskFit): number =>
  fits === true ? (makesLate.length === 0 ? 0 : 1) : fits === false ? 2 : 3;
const arrival = ({ arriveAt }: TaskFit): number => (arriveAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(arriveAt));

/** Who can make it by arrival, then who would be late elsewhere, then who can't, then of whom it isn't known. */
export const byFit = (a: TaskFit, b: TaskFit): number =>
  rank(a) - rank(b) || arrival(a) - arrival(b) || a.driver.name.localeCompare(b.driver.name);
