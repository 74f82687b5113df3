import type { EpochMs } from '@milepost/units';
import type { DutyLog } from '../duty-log.ts';
import type { DutyStatus } from '../status.ts';

/**
 * A log as one entry per minute, for the brute-force evaluator. It shares no code with the engine for time zones or
 * rests. Logs of whole minutes only.
 */
export interface Minutes {
  readonly log: DutyLog;
  /** Epoch minute of the first entry, and the number of entries up to now. */
  readonly first: number;
  readonly length: number;
  readonly status: readonly DutyStatus[];
  /** All work before each entry, exempt work included; one more entry than `status`. */
  readonly duty: Int32Array;
  /** What no limit applies to: 0 nothing, 1 exempt but counted, 2 exempt and not counted. */
  readonly exempt: Uint8Array;
  /** Minutes of work before each entry that do not count. */
  readonly uncounted: Int32Array;
  /** Driving and on-duty minutes before each entry that count. */
  readonly driven: Int32Array;
  readonly worked: Int32Array;
  /** The same since the home-terminal day began, and driving since the last 30 minutes without any. */
  readonly drivenToday: Int32Array;
  readonly workedToday: Int32Array;
  readonly drivenSinceBreak: Int32Array;
  /** The driving minutes. */
  readonly driving: readonly number[];
  /** Minutes of rest declared as waiting at a well before each entry. */
  readonly waiting: Int32Array;
  /** Home-terminal day of each entry, counted from an arbitrary day; one more entry than `status`. */
  readonly day: Int32Array;
  /** Where the first entry's day began: 0, or negative, in minutes before the log. */
  readonly firstDayStart: number;
  readonly runs: readonly Run[];
}

/** A maximal run of rest: entries from `start` up to `end`. */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly sleeper: number;
  readonly sleeperEnd: number;
}

const RESTS: readonly DutyStatus[] = ['OFF', 'SB', 'PC'];

export function toMinutes(log: DutyLog, now: EpochMs): Minutes {
  const first = (log.segments[0]?.start ?? now) / 60_000;
  const length = now / 60_000 - first;
  const status: DutyStatus[] = [];
  for (const segment of log.segments) {
    const end = segment === log.segments.at(-1) ? length : segment.end / 60_000 - first;
    while (status.length < Math.min(end, length)) status.push(segment.status);
  }
  const days = dayOfEach(log, first, length);
  const exempt = new Uint8Array(status.length);
  const counts = { ...countsOf(status, days.day, exempt), waiting: waitingOf(log, first, status) };
  return { log, first, length, status, exempt, ...days, ...counts, runs: runsOf(status) };
}

/** The same log with its exempt minutes: 0, 1 or 2 for each. */
export const withExempt = (log: Minutes, exempt: Uint8Array): Minutes => ({
  ...log,
  exempt,
  ...countsOf(log.status, log.day, exempt),
});

type Counts = Pick<
  Minutes,
  'duty' | 'uncounted' | 'driven' | 'worked' | 'drivenToday' | 'workedToday' | 'drivenSinceBreak' | 'driving'
>;

function countsOf(status: readonly DutyStatus[], day: Int32Array, exempt: Uint8Array): Counts {
  const count = (): Int32Array => new Int32Array(status.length + 1);
  const [driven, worked, drivenToday, workedToday, drivenSinceBreak] = [count(), count(), count(), count(), count()];
  const [duty, uncounted] = [count(), count()];
  const driving: number[] = [];
  let idle = 30;
  for (const [minute, one] of status.entries()) {
    const isWork = !RESTS.includes(one);
    const counts = exempt[minute] !== 2;
    const [drives, works] = [counts && one === 'D' ? 1 : 0, counts && isWork ? 1 : 0];
    if (drives) driving.push(minute);
    idle = one === 'D' ? 0 : idle + 1;
    const next = minute + 1;
    duty[next] = (duty[minute] ?? 0) + (isWork ? 1 : 0);
    uncounted[next] = (uncounted[minute] ?? 0) + (isWork && !counts ? 1 : 0);
    driven[next] = (driven[minute] ?? 0) + drives;
    worked[next] = (worked[minute] ?? 0) + works;
    drivenSinceBreak[next] = idle >= 30 ? 0 : (drivenSinceBreak[minute] ?? 0) + drives;
    if (day[next] !== day[minute]) continue;
    drivenToday[next] = (drivenToday[minute] ?? 0) + drives;
    workedToday[next] = (workedToday[minute] ?? 0) + works;
  }
  return { duty, uncounted, driven, worked, drivenToday, workedToday, drivenSinceBreak, driving };
}

function waitingOf({ declarations }: DutyLog, first: number, status: readonly DutyStatus[]): Int32Array {
  const waiting = new Int32Array(status.length + 1);
  const declared = declarations.filter(({ exception }) => exception === 'wellSiteWaiting');
  let restedUntil = Number.NEGATIVE_INFINITY;
  for (const [minute, one] of status.entries()) {
    const instant = (first + minute) * 60_000;
    if (!RESTS.includes(one) && RESTS.includes(status[minute - 1] ?? one)) restedUntil = instant;
    const waits =
      RESTS.includes(one) &&
      declared.some(({ start, end }) => start <= instant && (end === null ? start >= restedUntil : instant < end));
    waiting[minute + 1] = (waiting[minute] ?? 0) + (waits ? 1 : 0);
  }
  return waiting;
}

function runsOf(status: readonly DutyStatus[]): readonly Run[] {
  const runs: Run[] = [];
  for (let start = 0; start < status.length; start++) {
    if (!RESTS.includes(status[start] ?? 'D')) continue;
    let [end, sleeper, sleeperEnd, piece] = [start, 0, start, 0];
    for (; end < status.length && RESTS.includes(status[end] ?? 'D'); end++) {
      piece = status[end] === 'SB' ? piece + 1 : 0;
      if (piece > 0 && piece >= sleeper) [sleeper, sleeperEnd] = [piece, end + 1];
    }
    runs.push({ start, end, sleeper, sleeperEnd });
    start = end;
  }
  return runs;
}

/** A new day begins when the wall clock, minus the hour at which days start, shows a new date; days never go back. */
function dayOfEach(log: DutyLog, first: number, length: number): Pick<Minutes, 'day' | 'firstDayStart'> {
  const day = new Int32Array(length + 1);
  let [latest, since] = [Number.NEGATIVE_INFINITY, 0];
  let firstDayStart = 0;
  // Starts well before the log, so that the hour repeated in fall is not taken for the previous day.
  for (let minute = -1560, wall = Number.NaN; minute <= length; minute++) {
    wall = minute > -1560 && (first + minute) % 15 !== 0 ? wall + 1 : wallMinute(log.terminal.timeZone, first + minute);
    const today = Math.floor((wall - log.terminal.startOfDay) / 1440);
    if (today > latest) [latest, since] = [today, minute];
    if (minute === 0) firstDayStart = since;
    if (minute >= 0) day[minute] = latest;
  }
  return { day, firstDayStart };
}

/** In the years of the tests, zones change their clocks only at quarter hours. */
function wallMinute(timeZone: string, minute: number): number {
  const quarter = Math.floor(minute / 15);
  let zone = walls.get(timeZone);
  if (!zone) {
    zone = { format: formatOf(timeZone), quarters: new Map() };
    walls.set(timeZone, zone);
  }
  let wall = zone.quarters.get(quarter);
  if (wall === undefined) {
    const shown = zone.format.format(quarter * 15 * 60_000).replace(', ', 'T');
    wall = Date.parse(`${shown}Z`) / 60_000;
    zone.quarters.set(quarter, wall);
  }
  return wall + (minute - quarter * 15);
}

interface Walls {
  readonly format: Intl.DateTimeFormat;
  readonly quarters: Map<number, number>;
}

const walls = new Map<string, Walls>();
const formatOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });

export const at = (array: Int32Array, index: number): number => array[index] ?? 0;
export const floor = (minutes: number): number => Math.max(0, minutes);
