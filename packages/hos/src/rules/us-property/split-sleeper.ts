import { fromHours } from '@milepost/units';
import type { Split } from '../../rule-set.ts';

/**
 * Two rests instead of ten hours: neither under 2 hours, one with at least 7 hours of sleeper berth in one piece, 10
 * hours together; the other may be off duty. Both are excluded from the 14 hours, and the count starts again at the end
 * of the first. A rest of 10 hours or more can be the second.
 */
export const SPLIT_SLEEPER: Split = {
  clause: '49 CFR 395.1(g)(1)(ii)-(iii)',
  each: fromHours(2),
  total: fromHours(10),
  longSleeper: fromHours(7),
  loneSleeperPauses: true,
};
