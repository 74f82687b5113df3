import { DUTY_CODES } from '../event/codes.ts';
import type { DutyEvent, EldEvent } from '../event/event.ts';
import type { LogRecord } from './record.ts';
import type { LogState } from './state.ts';

/**
 * Automatically recorded driving may not be shortened (Appendix A, 4.3.2.8.2(b)). Driving lasts from its record to the
 * next active change of duty status; driving that nothing ends yet is proven as far as the last automatic record, and
 * as far as the vehicle was seen in motion. What was driven once is remembered apart from the records, so that no
 * series of changes wears it away.
 */
export type Span = readonly [from: number, to: number];

type Drive = Pick<LogState, 'records' | 'seenMovingUntil' | 'driven'>;
type Status = Pick<LogRecord, 'event' | 'automaticFrom'>;

const FOREVER = Number.POSITIVE_INFINITY;
const isDriving = ({ type, code }: EldEvent): boolean => type === 1 && code === DUTY_CODES.D;

/** Does a change take automatically recorded driving away? `remove` is the record that `add` would replace. */
export function shortensDriving(state: Drive, remove: string | null, add: EldEvent): boolean {
  const before = statusesOf(state);
  const added: Status[] = add.type === 1 ? [{ event: add, automaticFrom: null }] : [];
  const after = inOrder([...before.filter(({ id }) => id !== remove), ...added]);
  const driven = drivenSpans(state);
  return uncovered(driven, drivingOf(after)) > uncovered(driven, drivingOf(before));
}

/** All that was driven automatically, as far as it is known. */
export function drivenSpans(state: Drive): Span[] {
  let evidence = state.seenMovingUntil;
  for (const { event, status } of state.records.values()) {
    if (status === 'active' && event.type <= 2 && (event as DutyEvent).origin === 'automatic') {
      evidence = Math.max(evidence, event.at);
    }
  }
  return joined([...state.driven, ...spansOf(statusesOf(state), evidence, ({ automaticFrom }) => automaticFrom)]);
}

/** The same without the driving that a status record began: it was another’s, or the device has come to know better. */
export function drivenWithout(state: Drive, event: EldEvent): Span[] {
  const next = statusesOf(state).find(other => other.event.at > event.at)?.event.at ?? FOREVER;
  return drivenSpans(state).flatMap(([from, to]): Span[] => {
    const left: Span[] = [
      [from, Math.min(to, event.at)],
      [Math.max(from, next), to],
    ];
    return left.filter(([start, end]) => end > start);
  });
}

/** Would driving that is taken over from another log be cut by a status of this one? */
export const isCut = (state: Drive, event: EldEvent, until: number): boolean =>
  isDriving(event) && statusesOf(state).some(other => other.event.at > event.at && other.event.at < until);

/** Does a status of this log end driving that is taken over where it ended? */
export const isEnded = (state: Drive, event: EldEvent, until: number): boolean =>
  !isDriving(event) || statusesOf(state).some(other => other.event.at === until);

/**
 * What another log may take over of a record: the event, until when it lasted, and the record that ended driving, which
 * goes along with it. Null where it is not over.
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

/** The driven spans with one more. */
export const drivenWith = (state: Drive, event: EldEvent, until: number): Span[] =>
  joined([...drivenSpans(state), ...(isDriving(event) ? [[event.at, until] as const] : [])]);

/** Driving that a person enters while the device records driving goes on being the device’s. */
export function goesOnAutomatically(state: Drive, event: EldEvent): boolean {
  const status = statusesOf(state).findLast(other => other.event.at <= event.at);
  return isDriving(event) && status !== undefined && isDriving(status.event) && status.automaticFrom !== null;
}

const statusesOf = ({ records }: Drive): LogRecord[] =>
  inOrder([...records.values()].filter(({ event, status }) => status === 'active' && event.type === 1));

const inOrder = <T extends Status>(records: readonly T[]): T[] => [...records].sort((a, b) => a.event.at - b.event.at);

const drivingOf = (statuses: readonly Status[]): Span[] => joined(spansOf(statuses, FOREVER, () => 0));

/** Driving as spans of time; only of records that `since` knows a start for. */
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

/** How much of the spans lies outside the others; both are joined. */
function uncovered(spans: readonly Span[], others: readonly Span[]): number {
  let sum = 0;
  for (const [from, to] of spans) {
    sum += to - from;
    for (const other of others) sum -= Math.max(0, Math.min(to, other[1]) - Math.max(from, other[0]));
  }
  return sum;
}
