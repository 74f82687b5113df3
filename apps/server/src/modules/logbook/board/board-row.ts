import type { BoardRow } from '@milepost/contract';
import { dayOf, startOfDate } from '@milepost/eld';
import { type Evaluation, ruleSets, Tracker } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import type { ReadLog } from '../../../logs/read-board-logs.ts';
import { uncertifiedDays } from '../../../logs/uncertified.ts';
import type { LogFault } from '../days/read-log.ts';
import { iso, shownClocks, shownViolation } from '../days/shown.ts';

/** What the board remembers of a log, so that a row of now costs microseconds until the log grows. */
export interface BoardLog extends ReadLog {
  readonly tracker: Tracker;
  /** Days before a date that are not certified. */
  readonly uncertifiedBefore: (today: string) => number;
  /** Where the log contradicts itself: what comes after it is not read. */
  readonly fault: LogFault | null;
}

/** The part of a row that is not in the log. */
export type BoardFacts = Pick<
  BoardRow,
  | 'driverId'
  | 'name'
  | 'departmentId'
  | 'vehicle'
  | 'certificationAskedAt'
  | 'faults'
  | 'standing'
  | 'here'
  | 'reportAt'
  | 'syncAt'
>;

export function boardLogOf(read: ReadLog, fault: LogFault | null = null): BoardLog {
  return {
    ...read,
    fault,
    tracker: new Tracker(read.dutyLog, ruleSets[read.ruleSet]),
    uncertifiedBefore: countedOnceADay(today => uncertifiedDays(read.certification, today).length),
  };
}

/** A driver’s row at `now`: the clocks run on in the log’s last status. */
export function boardRowOf(log: BoardLog, facts: BoardFacts, now: number): BoardRow {
  const evaluation = log.tracker.evaluate(epochMs(now));
  const { next, clocks } = evaluation;
  return {
    ...facts,
    ruleSet: log.ruleSet,
    timeZone: log.home.timeZone,
    status: log.status,
    since: log.since === null ? null : iso(log.since),
    place: log.place,
    clocks: shownClocks(clocks),
    at: iso(now),
    mustStopBy: next.mustStopBy === null ? null : iso(next.mustStopBy),
    mayDriveAgainAt: next.mayDriveAgainAt === null ? null : iso(next.mayDriveAgainAt),
    binds: next.binds,
    exempt: evaluation.exempt,
    violations: violationsOfToday(evaluation, log, now),
    uncertifiedDays: log.uncertifiedBefore(dayOf(epochMs(now), log.home)),
    proposals: log.proposals,
  };
}

function violationsOfToday(
  { violations }: Evaluation,
  { home, status }: BoardLog,
  now: number,
): BoardRow['violations'] {
  if (violations.length === 0) return [];
  const today = startOfDate(dayOf(epochMs(now), home), home);
  return violations
    .filter(({ end }) => end > today)
    .map(violation => ({ ...shownViolation(violation), isOpen: status === 'D' && violation.end >= now }));
}

/** Rows are made each minute: what changes with the date alone is remembered until it does. */
function countedOnceADay(count: (today: string) => number): (today: string) => number {
  let last: { readonly today: string; readonly count: number } | null = null;
  return today => {
    if (last?.today !== today) last = { today, count: count(today) };
    return last.count;
  };
}
