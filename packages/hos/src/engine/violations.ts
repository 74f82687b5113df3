import type { EpochMs } from '@milepost/units';
import type { Segment } from '../duty-log.ts';
import type { Interval, Violation } from '../evaluation.ts';
import { severityOf } from '../severity.ts';
import type { Chain } from './half.ts';
import type { Finding } from './past-limit.ts';
import type { Closed } from './state.ts';
import { later } from './time.ts';

/** Findings with their log segments as evidence, by start. */
export function violationsOf(
  closed: Closed | null,
  open: readonly Finding[],
  segments: readonly Segment[],
): readonly Violation[] {
  const past = closedViolations(closed, segments);
  if (open.length === 0) return past;
  return [...past, ...open.map(finding => toViolation(finding, segments))].sort(byStart);
}

const byStart = (a: Violation, b: Violation): number => a.start - b.start || (a.rule < b.rule ? -1 : 1);

/** Closed violations never change, so each set is built once, however often a growing log is evaluated. */
const written = new WeakMap<Closed, readonly Violation[]>();

function closedViolations(closed: Closed | null, segments: readonly Segment[]): readonly Violation[] {
  const unwritten: Violation[] = [];
  let entry = closed;
  for (; entry !== null && !written.has(entry); entry = entry.before) {
    unwritten.push(toViolation(entry.finding, segments));
  }
  const known = (entry && written.get(entry)) ?? [];
  if (closed === null || unwritten.length === 0) return known;
  const all = [...known, ...unwritten].sort(byStart);
  written.set(closed, all);
  return all;
}

function toViolation({ rule, past, used }: Finding, segments: readonly Segment[]): Violation {
  const { start, end, over, countedFrom, clause } = past;
  return {
    rule,
    clause,
    start,
    end,
    over,
    severity: severityOf(over),
    countedFrom,
    excluded: restsOf(used).filter(rest => rest.start >= countedFrom && rest.end <= end),
    segments: between(segments, countedFrom, end),
  };
}

/** The log from `start` up to `end`. The last status continues to `end`, whatever its own end. */
function between(segments: readonly Segment[], start: EpochMs, end: EpochMs): readonly Segment[] {
  const from = Math.min(firstEndingAfter(segments, start), segments.length - 1);
  const part = segments.slice(from, firstStartingAt(segments, end));
  const [first, last] = [part[0], part.at(-1)];
  if (first) part[0] = { ...first, start: later(first.start, start) };
  if (last) part[part.length - 1] = { ...last, start: later(last.start, start), end };
  return part;
}

/** The rests of a count, in chronological order. */
export function restsOf(chain: Chain | null): readonly Interval[] {
  const rests: Interval[] = [];
  for (let link = chain; link !== null; link = link.before)
    rests.unshift({ start: link.half.start, end: link.half.end });
  return rests;
}

const firstEndingAfter = (segments: readonly Segment[], at: EpochMs): number =>
  firstWhere(segments, one => one.end > at);
const firstStartingAt = (segments: readonly Segment[], at: EpochMs): number =>
  firstWhere(segments, one => one.start >= at);

/** Index of the first segment for which `holds` is true; it must then be true for all that follow. */
function firstWhere(segments: readonly Segment[], holds: (segment: Segment) => boolean): number {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const segment = segments[middle];
    if (segment && holds(segment)) high = middle;
    else low = middle + 1;
  }
  return low;
}
