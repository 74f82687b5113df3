import type { BoardRow } from '@milepost/contract';
import { addDays, dayOf, isDutyEvent, type LogRecord, type RecordLog, SESSION_CODES, startOfDate } from '@milepost/eld';
import { type Evaluation, type HomeTerminal, type RuleSetId, readDutyLog, ruleSets, Tracker } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import type { LogView } from '../days/log-view.ts';
import { iso, shownClocks, shownViolation } from '../days/shown.ts';

/** The board counts uncertified days this far back; the log itself lists all of six months. */
export const BOARD_DAYS = 14;
const MINUTE = 60_000;

/** What the board remembers of a log, so that a row of now costs microseconds until the log grows. */
export interface BoardLog {
  readonly home: HomeTerminal;
  readonly ruleSet: RuleSetId;
  readonly tracker: Tracker;
  readonly status: BoardRow['status'];
  /** Epoch milliseconds; null for a log without a status. */
  readonly since: number | null;
  /** The place of the newest record that has one. */
  readonly place: string | null;
  /** The vehicle that the driver is signed in to, as the log’s records say; null if to none. */
  readonly vehicleId: number | null;
  readonly proposals: number;
  /** The first day that the driver has to certify, or null. */
  readonly firstDay: string | null;
  /** Days that are certified and did not change since. */
  readonly certified: ReadonlySet<string>;
}

/** The part of a row that is not in the log. */
export type BoardFacts = Pick<
  BoardRow,
  'driverId' | 'name' | 'departmentId' | 'vehicle' | 'faults' | 'reportAt' | 'syncAt'
>;

export function boardLogOf(view: LogView): BoardLog {
  const { log, segments, ruleSet, now } = view;
  const home = log.home();
  const last = segments.at(-1);
  const first = segments[0];
  let newest: { readonly at: number; readonly place: string } | null = null;
  let proposals = 0;
  for (const { event, status } of log.records()) {
    if (status === 'change-requested') proposals++;
    if (status !== 'active' || !isDutyEvent(event)) continue;
    const place = event.placeByDriver ?? event.place;
    if (place !== null && event.at >= (newest?.at ?? 0)) newest = { at: event.at, place };
  }
  const certified = new Set<string>();
  const today = dayOf(epochMs(now), home);
  for (let date = addDays(today, -BOARD_DAYS), days = 0; days <= BOARD_DAYS; date = addDays(date, 1), days++) {
    if (log.day(date)?.changedSince === false) certified.add(date);
  }
  return {
    home,
    ruleSet,
    tracker: new Tracker(view.dutyLog ?? restedLog(home, now), ruleSets[ruleSet]),
    status: last?.status ?? 'OFF',
    since: last?.start ?? null,
    place: newest?.place ?? null,
    vehicleId: signedInTo(log),
    proposals,
    firstDay: first ? dayOf(epochMs(first.start), home) : null,
    certified,
  };
}

function signedInTo(log: RecordLog): number | null {
  let newest: LogRecord | null = null;
  for (const record of log.records()) {
    if (record.event.type === 5 && record.event.at >= (newest?.event.at ?? 0)) newest = record;
  }
  if (newest?.event.code !== SESSION_CODES.login) return null;
  const id = Number(newest.device.replace('vehicle:', ''));
  return Number.isInteger(id) ? id : null;
}

/** A driver’s row at `now`: the clocks run on in the log’s last status. */
export function boardRowOf(log: BoardLog, facts: BoardFacts, now: number): BoardRow {
  const evaluation = log.tracker.evaluate(epochMs(now));
  const { next, clocks } = evaluation;
  return {
    ...facts,
    ruleSet: log.ruleSet,
    status: log.status,
    since: log.since === null ? null : iso(log.since),
    place: log.place,
    clocks: shownClocks(clocks),
    at: iso(now),
    mustStopBy: next.mustStopBy === null ? null : iso(next.mustStopBy),
    mayDriveAgainAt: next.mayDriveAgainAt === null ? null : iso(next.mayDriveAgainAt),
    binds: next.binds,
    violations: violationsOfToday(evaluation, log, now),
    uncertifiedDays: uncertifiedDays(log, now),
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

function uncertifiedDays({ firstDay, certified, home }: BoardLog, now: number): number {
  if (firstDay === null) return 0;
  const today = dayOf(epochMs(now), home);
  const oldest = addDays(today, -BOARD_DAYS);
  let count = 0;
  for (let date = firstDay > oldest ? firstDay : oldest; date < today; date = addDays(date, 1)) {
    if (!certified.has(date)) count++;
  }
  return count;
}

/** A driver without a log has rested: all clocks are full. */
function restedLog({ timeZone, startOfDay }: HomeTerminal, now: number) {
  const clock = [Math.floor(startOfDay / 60), startOfDay % 60].map(part => String(part).padStart(2, '0')).join(':');
  const segments = [{ status: 'OFF', start: now - MINUTE, end: now }];
  const read = readDutyLog({ timezone: timeZone, homeTerminalStartOfDay: clock, segments });
  if (!read.ok) throw new Error('An empty log has no valid home terminal.');
  return read.value;
}
