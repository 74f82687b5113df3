import type { LogDay, ShownStatus } from '@milepost/contract';
import { addDays, dayOf, type LogRecord, startOfDate } from '@milepost/eld';
import { epochMs } from '@milepost/units';
import type { LogView } from '../../../logs/log-view.ts';
import { distanceIn } from './distance.ts';
import { drivesIn } from './drives.ts';
import { formErrorsOf, missingIn } from './form-errors.ts';
import { iso, type NameOf, shownRecord, shownViolation } from './shown.ts';

/** The line of the graph on which a status counts: personal use is off duty, a yard move is on duty. */
const LINE_OF: Readonly<Record<ShownStatus, 'OFF' | 'SB' | 'D' | 'ON'>> = {
  OFF: 'OFF',
  SB: 'SB',
  D: 'D',
  ON: 'ON',
  PC: 'OFF',
  YM: 'ON',
};

/**
 * A driver’s log of one day of the home terminal. Time before the log’s first status counts as off duty, as it does for
 * the rules, and has no record.
 *
 * @param date `YYYY-MM-DD`, the date on which the day begins
 */
export function logDayOf(view: LogView, driverId: number, date: string, nameOf: NameOf): LogDay {
  const { log, now } = view;
  const home = log.home();
  const from = startOfDate(date, home);
  const to = startOfDate(addDays(date, 1), home);
  const through = Math.min(Math.max(now, from), to);
  const records = recordsOfDay(log.records(), from, to);
  const segments = segmentsIn(view, from, through);
  const totals = { OFF: 0, SB: 0, D: 0, ON: 0 };
  for (const { status, start, end } of segments) totals[LINE_OF[status]] += (end - start) / 1000;
  const certification = certificationOf(view, date);
  const proposals = records.filter(({ status }) => status === 'change-requested').length;
  const events = records.filter(({ status }) => status === 'active').map(({ event }) => event);
  return {
    driverId: String(driverId),
    date,
    from: iso(from),
    to: iso(to),
    timeZone: home.timeZone,
    through: iso(through),
    segments: segments.map(({ status, start, end, record }) => ({ status, from: iso(start), to: iso(end), record })),
    totals,
    distanceKm: distanceIn(log.records(), from, through),
    records: records.map(record => shownRecord(record, nameOf)),
    violations: view.evaluation.violations
      .filter(({ start, end }) => start < through && end > from)
      .map(shownViolation),
    vehicles: distinct(events.map(({ vehicle }) => vehicle.powerUnit)),
    drives: drivesIn(log.records(), from, through),
    trailers: distinct(events.flatMap(({ trailers }) => trailers.split(' '))),
    shippingDocuments: distinct(events.map(({ shippingDocument }) => shippingDocument)),
    certification,
    formErrors: formErrorsOf({
      isOver: now >= to,
      isWhole: through === from || segments[0]?.record !== null,
      hasDriving: totals.D > 0,
      certification,
      proposals,
      records,
    }),
    proposals,
    missing: missingIn(records),
  };
}

/** The dates of the log’s days, oldest first: from its first record to today, and between these dates. */
export function datesOf(view: LogView, { from, to }: { readonly from: string; readonly to: string }): string[] {
  const home = view.log.home();
  const first = view.segments[0]?.start;
  if (first === undefined) return [];
  const [firstDate, today] = [dayOf(epochMs(first), home), dayOf(epochMs(view.now), home)];
  const last = today < to ? today : to;
  const dates: string[] = [];
  for (let date = firstDate > from ? firstDate : from; date <= last; date = addDays(date, 1)) dates.push(date);
  return dates;
}

interface DaySegment {
  readonly status: ShownStatus;
  readonly start: number;
  readonly end: number;
  readonly record: string | null;
}

/** The statuses between two moments; they meet, and cover all of the time. */
function segmentsIn({ segments }: LogView, from: number, to: number): DaySegment[] {
  if (to <= from) return [];
  const inside: DaySegment[] = segments
    .filter(({ start, end }) => start < to && end > from)
    .map(segment => ({ ...segment, start: Math.max(segment.start, from), end: Math.min(segment.end, to) }));
  const known = inside[0]?.start ?? to;
  return known > from ? [{ status: 'OFF', start: from, end: known, record: null }, ...inside] : inside;
}

const recordsOfDay = (records: readonly LogRecord[], from: number, to: number): LogRecord[] =>
  records.filter(({ event: { at } }) => at >= from && at < to).sort((a, b) => a.event.at - b.event.at);

function certificationOf({ log }: LogView, date: string): LogDay['certification'] {
  const { certifications: count = 0, changedSince = false } = log.day(date) ?? {};
  let last: number | null = null;
  for (const { event } of log.records()) if (event.type === 4 && event.date === date) last = event.at;
  return { count, lastAt: last === null ? null : iso(last), changedSince };
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts.filter(text => text !== ''))];
