import { DUTY_CODES } from '../event/codes.ts';
import type { LogRecord } from './record.ts';
import type { LogState } from './state.ts';

/**
 * Automatically recorded driving may not be shortened (Appendix A, 4.3.2.8.2(b)). Driving lasts from its record to the
 * next active change of duty status; driving that nothing ends yet is proven as far as the last automatic record, and
 * as far as the vehicle was seen in motion.
 */

export interface Change {
  readonly remove: string | null;
  readonly add: Pick<LogRecord, 'event' | 'automaticFrom'>;
}

type Span = readonly [from: number, to: number];
type Dated = Pick<LogRecord, 'event' | 'automaticFrom'>;

const isDriving = ({ event }: Dated): boolean => event.type === 1 && event.code === DUTY_CODES.D;

export function shortensDriving(
  { records, seenMovingUntil }: Pick<LogState, 'records' | 'seenMovingUntil'>,
  { remove, add }: Change,
): boolean {
  const statuses: LogRecord[] = [];
  let evidence = seenMovingUntil;
  for (const record of records.values()) {
    const { event, status } = record;
    if (status !== 'active' || event.type > 2) continue;
    if ('origin' in event && event.origin === 'automatic') evidence = Math.max(evidence, event.at);
    if (event.type === 1) statuses.push(record);
  }
  const before = inOrder(statuses);
  const after = inOrder([...before.filter(({ id }) => id !== remove), ...(add.event.type === 1 ? [add] : [])]);
  const left = spansOf(after, Number.POSITIVE_INFINITY, () => 0);
  return spansOf(before, evidence, record => record.automaticFrom).some(span => !isCovered(span, left));
}

const inOrder = <T extends Dated>(records: readonly T[]): T[] => [...records].sort((a, b) => a.event.at - b.event.at);

/** Driving as spans of time, joined where one follows the other; only records that `from` knows a start for. */
function spansOf<T extends Dated>(records: readonly T[], openEnd: number, from: (record: T) => number | null): Span[] {
  const spans: [number, number][] = [];
  for (const [i, record] of records.entries()) {
    const start = isDriving(record) ? from(record) : null;
    if (start === null) continue;
    const span: [number, number] = [Math.max(start, record.event.at), records[i + 1]?.event.at ?? openEnd];
    const last = spans.at(-1);
    if (last && last[1] >= span[0]) last[1] = Math.max(last[1], span[1]);
    else if (span[1] > span[0]) spans.push(span);
  }
  return spans;
}

const isCovered = ([from, to]: Span, spans: readonly Span[]): boolean =>
  spans.some(span => span[0] <= from && to <= span[1]);
