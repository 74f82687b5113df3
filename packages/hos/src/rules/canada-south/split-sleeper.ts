import { fromHours } from '@milepost/units';
import type { Split } from '../../rule-set.ts';

/** A driver alone: two sleeper-berth periods of 2 hours or more, 10 together, both left out of the 16 hours. */
export const CANADA_SPLIT_SLEEPER: Split = {
  clause: 'SOR/2005-313 s. 18',
  each: fromHours(2),
  total: fromHours(10),
  longSleeper: null,
  loneSleeperPauses: false,
};
