import type { EpochMs } from '@milepost/units';
import { DayCounter, type DayFigures } from './day-counter.ts';
import type { Fix } from './fix.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from './thresholds.ts';

/**
 * What a vehicle did between two moments: segments that tile [from, to) exactly, by the detector that runs live.
 * The order of the fixes and exact repetitions do not matter.
 *
 * Fixes before `from` prime the detector, and the last one says how the time began; the newest few within 24 hours are
 * enough. Fixes from `to` on may be given and settle what was undecided at the end. Without them the motion of the
 * last fix holds as long as the live status would have held it, and then a gap begins; so `to` is never later than now.
 *
 * Doubts that need only the fix itself are taken as given. `impossible-speed` depends on the order of arrival and is
 * judged again here, in the order of time.
 */
export function daySegments(
  fixes: Iterable<Fix>,
  from: EpochMs,
  to: EpochMs,
  thresholds: Thresholds = DEFAULT_THRESHOLDS,
): DayFigures {
  const counter = new DayCounter(from, to, { thresholds });
  for (const fix of inOrder(fixes)) counter.add(fix);
  return counter.figures();
}

function inOrder(fixes: Iterable<Fix>): Fix[] {
  const sorted = [...fixes].sort((a, b) => a.time - b.time);
  return sorted.filter((fix, i) => fix.time !== sorted[i - 1]?.time);
}
