import { type Milliseconds, milliseconds } from '@milepost/units';
import type { RuleSet, Split } from '../rule-set.ts';
import { type Count, FRESH, windowRule } from './count.ts';
import { type Half, halfOf, isLongSleeper, isPair } from './half.ts';
import { overOf } from './past-limit.ts';
import type { Rest } from './rest.ts';
import { NOTHING, sum } from './time.ts';

/**
 * All ways to pair the rests of a shift (395.1(g)(1)(ii)–(iii); FMCSA questions 4, 6 and 8 on split sleeper). Each rest
 * that could be half of a split is either used or not; each used rest must pair with the used rest next to it. When a
 * pair completes, the count starts again at the end of its first rest and excludes the second; driving between the two
 * still counts.
 *
 * Counts that can never do better than another are dropped, so a shift keeps only a handful of them however many rests
 * it has.
 */
export function countsAfterRest(
  counts: readonly Count[],
  ruleSet: RuleSet,
  rest: Rest,
  waiting: Milliseconds,
): readonly Count[] {
  const { split } = ruleSet;
  const ignoring = waiting > 0 ? counts.map(count => pausing(count, waiting)) : counts;
  const half = split && halfOf(rest, split);
  if (!split || !half) return ignoring;
  const all = [...ignoring];
  for (const count of counts) {
    if (count.last && isPair(count.last, half, split)) all.push(paired(count, count.last, half));
    else if (count.last === null || count.paired) all.push(waitingForItsPair(count, half, split));
  }
  return withoutHopeless(all, ruleSet);
}

/** The counts that are possible when a full rest ends the shift: that rest may be the second half of the last pair. */
export function countsBeforeFullRest(counts: readonly Count[], split: Split | null, rest: Rest): readonly Count[] {
  const half = split && halfOf(rest, split);
  return counts.filter(
    ({ last, paired }) => last === null || paired || (split !== null && half !== null && isPair(last, half, split)),
  );
}

/**
 * The counts that are possible now: every used rest has its pair, or is a long sleeper rest that the policy excludes in
 * advance.
 */
export const countsNow = (counts: readonly Count[], split: Split | null): readonly Count[] =>
  counts.length === 1 ? counts : counts.filter(count => isSettled(count) || isTrusted(count, split));

const isSettled = ({ last, paired }: Count): boolean => last === null || paired;

/** Excluded from the window before its other half has come. */
export const isTrusted = ({ last, paired }: Count, split: Split | null): boolean =>
  last !== null && !paired && split?.loneSleeperPauses === true && isLongSleeper(last, split);

const pausing = (count: Count, length: Milliseconds): Count =>
  count.from === null
    ? count
    : { ...count, paused: sum(count.paused, length), pausedSince: sum(count.pausedSince, length) };

const waitingForItsPair = (count: Count, half: Half, split: Split): Count => ({
  ...pausing(count, half.length),
  window: split.window && count.used === null ? count.splitWindow : count.window,
  splitWindow: null,
  last: half,
  pausedSince: NOTHING,
  drivenSince: NOTHING,
  workedSince: NOTHING,
  paired: false,
  used: { half, before: count.used },
});

const paired = (count: Count, first: Half, second: Half): Count => ({
  ...count,
  from: first.end,
  paused: sum(count.pausedSince, second.length),
  driven: count.drivenSince,
  worked: count.workedSince,
  last: second,
  pausedSince: NOTHING,
  drivenSince: NOTHING,
  workedSince: NOTHING,
  paired: true,
  used: { half: second, before: count.used },
});

/** Drops each count that another one equals or beats in everything that can matter later. */
function withoutHopeless(counts: readonly Count[], ruleSet: RuleSet): readonly Count[] {
  const kept: Count[] = [];
  for (const count of counts) {
    if (kept.some(other => isNoWorse(other, count, ruleSet))) continue;
    let room = 0;
    for (const other of kept) {
      if (!isNoWorse(count, other, ruleSet)) kept[room++] = other;
    }
    kept.length = room;
    kept.push(count);
  }
  return kept.length <= 2 * MOST_COUNTS
    ? kept
    : [...mildest(kept, isSettled), ...mildest(kept, one => !isSettled(one))];
}

/**
 * A week of nothing but rests of two to ten hours makes about 60. Beyond 96, which no real log reaches, only the
 * mildest are kept, so that time and memory stay bounded.
 */
const MOST_COUNTS = 48;

const mildest = (counts: readonly Count[], belongs: (count: Count) => boolean): readonly Count[] =>
  counts
    .filter(belongs)
    .sort((a, b) => overAll(a) - overAll(b))
    .slice(0, MOST_COUNTS);

const MEASURES = ['drive', 'window', 'onDuty'] as const;

function isNoWorse(a: Count, b: Count, ruleSet: RuleSet): boolean {
  // A window that has not begun is better than any.
  const endOf = ({ from, paused, used }: Count): number =>
    (from ?? Number.POSITIVE_INFINITY) + paused + windowRule(used !== null, ruleSet).limit;
  if (endOf(a) < endOf(b) || a.driven > b.driven || a.worked > b.worked) return false;
  if (a.usedLongWindow && !b.usedLongWindow) return false;
  for (const name of MEASURES) {
    const [past, other] = [a[name], b[name]];
    if (past === null) continue;
    if (other === null || past.over > other.over || past.start < other.start || past.end > other.end) return false;
  }
  return leavesAsMuchToPair(a, b);
}

function leavesAsMuchToPair(a: Count, b: Count): boolean {
  if (b.last === null) return isSettled(a);
  if (a.last === null || (b.paired && !a.paired)) return false;
  return (
    a.last.length >= b.last.length &&
    a.last.sleeper >= b.last.sleeper &&
    a.last.end + a.pausedSince >= b.last.end + b.pausedSince &&
    a.drivenSince <= b.drivenSince &&
    a.workedSince <= b.workedSince
  );
}

export const FRESH_COUNTS: readonly Count[] = [FRESH];

/** Total driving past the shift's limits, to tell which count is milder. */
export const overAll = (count: Count): Milliseconds =>
  milliseconds(overOf(count.drive) + overOf(count.window) + overOf(count.onDuty));
