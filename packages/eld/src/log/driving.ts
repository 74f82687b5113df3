import { DUTY_CODES } from '../event/codes.ts';
import type { DutyEvent, EldEvent } from '../event/event.ts';
import type { LogRecord } from './record.ts';
import type { Records } from './records.ts';

/**
 * Automatically recorded driving may not be shortened (Appendix A, 4.3.2.8.2(b)). Driving lasts from its record to the
 * next active change of duty status; driving that has not ended yet is proven up to the last automatic record and the
 * last time the vehicle was seen in motion. Driven time is also stored apart from the records, so that no series of
 * changes can wear it away.
 */
export type Span = readonly [from: number, to: number];

/** The part of a log’s state that tells when the vehicle was driven. */
export interface Drive {
  readonly records: Pick<Records, 'lastAutomaticAt' | 'statuses'>;
  /** Until when the vehicle was last seen in motion, according to `motion` entries and driving taken over. */
  seenMovingUntil: number;
  /** Automatic driving that changes must preserve, in addition to what the records show. */
  driven: readonly Span[];
}
type Status = Pick<LogRecord, 'event' | 'automaticFrom'>;

const FOREVER = Number.POSITIVE_INFINITY;
export const isDriving = ({ type, code }: EldEvent): boolean => type === 1 && code === DUTY_CODES.D;

/** Whether a change would remove automatically recorded driving. `remove` is the record that `add` would replace. */
export function shortensDriving(state: Drive, remove: string | null, add: EldEvent): boolean {
  const before = state.records.statuses;
  const added: Status[] = add.type === 1 ? [{ event: add, automaticFrom: null }] : [];
  const after = inOrder([...before.filter(({ id }) => id !== remove), ...added]);
  const driven = drivenSpans(state);
  return uncovered(driven, drivingOf(after)) > uncovered(driven, drivingOf(before));
}

/** All known automatic driving. */
export function drivenSpans(state: Drive): Span[] {
  const { lastAutomaticAt, statuses } = state.records;
  const evidence = Math.max(state.seenMovingUntil, lastAutomaticAt);
  return joined([...state.driven, ...spansOf(statuses, evidence, ({ automaticFrom }) => automaticFrom)]);
}

/**
 * The same without the driving that a status record began, which was another driver’s or has been corrected by the
 * device.
 */
export function drivenWithout(state: Drive, event: EldEvent): Span[] {
  const next = state.records.statuses.find(other => other.event.at > event.at)?.event.at ?? FOREVER;
  return drivenSpans(state).flatMap(([from, to]): Span[] => {
    const left: Span[] = [
      [from, Math.min(to, event.at)],
      [Math.max(from, next), to],
    ];
    return left.filter(([start, end]) => end > start);
  });
}

/** Whether a status of this log would cut short driving taken over from another log. */
export const isCut = (state: Drive, event: EldEvent, until: number): boolean =>
  isDriving(event) && state.records.statuses.some(other => other.event.at > event.at && other.event.at < until);

/** Whether driving taken over ends in this log with a status at the time it ended in the other. */
export const isEnded = (state: Drive, event: EldEvent, until: number): boolean =>
  !isDriving(event) || state.records.statuses.some(other => other.event.at === until);

/**
 * What another log may take over of a record: the event, when it ended, and the record that ended the driving, which
 * goes with it. Null while the driving is not over.
 */
export function takeable(
  records: readonly LogRecord[],
  id: string,
): { readonly event: DutyEvent; readonly until: number; readonly end: LogRecord | null } | null {
  const statuses = inOrder(records.filter(({ event, status }) => status === 'active' && event.type === 1));
  const index = statuses.findIndex(status => status.id === id);
  const event = statuses[index]?.event;
  if (event?.type !== 1) return null;
  if (!isDriving(event)) return { event, until: event.at, end: null };
  const end = statuses[index + 1];
  return end ? { event, until: end.event.at, end } : null;
}

/** The driven spans with this one added. */
export const drivenWith = (state: Drive, event: EldEvent, until: number): Span[] =>
  joined([...drivenSpans(state), ...(isDriving(event) ? [[event.at, until] as const] : [])]);

/** Whether driving entered by a person falls within automatic driving, and so remains automatic. */
export function goesOnAutomatically(state: Drive, event: EldEvent): boolean {
  const status = state.records.statuses.findLast(other => other.event.at <= event.at);
  return isDriving(event) && status !== undefined && isDriving(status.event) && status.automaticFrom !== null;
}

const inOrder = <T extends Status>(records: readonly T[]): T[] => [...records].sort((a, b) => a.event.at - b.event.at);

const drivingOf = (statuses: readonly Status[]): Span[] => joined(spansOf(statuses, FOREVER, () => 0));

/** Driving as spans of time, only of records for which `since` returns a start. */
function spansOf<T extends Status>(
  statuses: readonly T[],
  openEnd: number,
  since: (status: T) => number | null,
): Span[] {
  return statuses.flatMap((status, i): Span[] => {
    const start = isDriving(status.event) ? since(status) : null;
    return start === null ? [] : [[Math.max(start, status.event.at), statuses[i + 1]?.event.at ?? openEnd]];
  });
}

function joined(spans: readonly Span[]): Span[] {
  const sorted = spans.filter(([from, to]) => to > from).sort((a, b) => a[0] - b[0]);
  const result: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = result.at(-1);
    if (last && last[1] >= from) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

/** How much of the spans is outside the others; each list must be sorted and without overlaps. */
function uncovered(spans: readonly Span[], others: readonly Span[]): number {
  let sum = 0;
  for (const [from, to] of spans) {
    sum += to - from;
    for (const other of others) sum -= Math.max(0, Math.min(to, other[1]) - Math.max(from, other[0]));
  }
  return sum;
}
