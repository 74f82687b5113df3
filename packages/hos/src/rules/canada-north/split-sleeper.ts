import { fromHours } from '@milepost/units';
import type { Split } from '../../rule-set.ts';

/**
 * A driver alone: two sleeper-berth periods of 2 hours or more, 8 together. A shift that uses them ends 18 hours after
 * coming on duty, with both left out; off-duty time outside the berth counts.
 */
export const CANADA_NORTH_SPLIT_SLEEPER: Split = {
  clause: 'SOR/2005-313 s. 40',
  each: fromHours(2),
  total: fromHours(8),
  longSleeper: null,
  window: { rule: 'CA_18H_SPLIT', clause: 'SOR/2005-313 s. 40(1)(e)', limit: fromHours(18) },
  loneSleeperPauses: false,
};
