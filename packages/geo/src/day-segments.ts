import type { EpochMs } from '@milepost/units';
import { DayCounter, type DayFigures } from './day-counter.ts';
import type { Fix } from './fix.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from './thresholds.ts';

/**
 * What a vehicle did between two moments: segments that cover [from, to) exactly, by the live motion detector. The
 * order of the fixes and exact duplicates do not matter.
 *
 * Fixes before `from` initialize the detector, and the last of them tells how the period began; the newest few within
 * 24 hours are enough. Fixes from `to` on may be included to settle what was undecided at the end. Without them the
 * motion of the last fix continues as long as the live status would show it, and then a gap begins; so `to` must not be
 * in the future.
 *
 * Doubts that depend on the fix alone are kept. `impossible-speed` depends on the order of arrival and is judged again
 * here, in order of time.
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
