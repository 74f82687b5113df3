import type { EpochMs, Milliseconds } from '@milepost/units';
import { severityOf } from '../severity.ts';
import type { Count } from './count.ts';
import { overAll } from './pairing.ts';
import { overOf } from './past-limit.ts';

const LIMITS = ['drive', 'window', 'onDuty'] as const;

/**
 * Picks the pairing that FMCSA's question 4 prefers: the fewest egregious violations, then the fewest ordinary ones,
 * then the fewest nominal ones; on a tie, the one that leaves the most time. Remaining ties, which the law leaves open,
 * go to the least total time over, then the latest start, then the one that did not use an exception's longer window,
 * then to a split before the ordinary window.
 *
 * @param timeLeft the time a count leaves now, shortest limit first; null once the shift is over, when it no longer
 * matters
 */
export function choose(counts: readonly Count[], timeLeft: ((count: Count) => readonly number[]) | null): Count | null {
  let [best, bestRank]: [Count | null, readonly number[]] = [counts[0] ?? null, []];
  for (const count of counts.length > 1 ? counts : []) {
    const rank = rankOf(count, timeLeft);
    if (bestRank.length === 0 || isBefore(rank, bestRank)) [best, bestRank] = [count, rank];
  }
  return best;
}

/** Compared element by element; smaller is better. */
function rankOf(count: Count, timeLeft: ((count: Count) => readonly number[]) | null): readonly number[] {
  const violations = { egregious: 0, violation: 0, nominal: 0 };
  for (const name of LIMITS) {
    const over: Milliseconds = overOf(count[name]);
    if (over > 0) violations[severityOf(over)]++;
  }
  const { egregious, violation, nominal } = violations;
  const times = timeLeft ? timeLeft(count).map(time => -time) : [];
  const starts = LIMITS.map(name => -startOf(count[name]));
  const ends = LIMITS.map(name => count[name]?.end ?? 0);
  const settled = [overAll(count), ...starts, ...ends, count.usedLongWindow ? 1 : 0, count.splitWindow ? 1 : 0];
  return [egregious, violation, nominal, ...times, ...settled];
}

const startOf = (past: { readonly start: EpochMs } | null): number => past?.start ?? Number.POSITIVE_INFINITY;

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? value;
    if (value !== other) return value < other;
  }
  return false;
}
