import type { EpochMs, Milliseconds } from '@milepost/units';
import type { RuleSet } from '../rule-set.ts';
import { addDriving, type PastLimit } from './past-limit.ts';
import { between, NOTHING, sum } from './time.ts';

/** Driving since the last sufficient break from driving (395.3(a)(3)(ii)). */
export interface BreakCount {
  readonly driven: Milliseconds;
  readonly from: EpochMs;
  /** When the driver last stopped driving; null while driving. */
  readonly idleSince: EpochMs | null;
}

type Rule = RuleSet['break'];

export const idle = (count: BreakCount, since: EpochMs): BreakCount =>
  count.idleSince === null ? { ...count, idleSince: since } : count;

/** The count at `at`, including a break that lasts until then. */
export function breakAt(count: BreakCount, rule: Rule, at: EpochMs): BreakCount {
  if (count.idleSince === null || rule === null || at - count.idleSince < rule.length) return count;
  return { driven: NOTHING, from: at, idleSince: count.idleSince };
}

export function driveOn(count: BreakCount, rule: Rule, start: EpochMs, end: EpochMs): BreakCount {
  const { driven, from } = breakAt(count, rule, start);
  return { driven: sum(driven, between(start, end)), from, idleSince: null };
}

/** Driving past the break limit that this stretch adds; none where the break is waived. */
export function pastBreak(
  past: PastLimit | null,
  count: BreakCount,
  rule: Rule,
  waived: boolean,
  start: EpochMs,
  end: EpochMs,
): PastLimit | null {
  if (rule === null || waived) return past;
  const { driven, from } = breakAt(count, rule, start);
  return addDriving(past, start, end, rule.limit - driven, from, rule.clause);
}
