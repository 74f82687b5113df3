import { fromHours } from '@milepost/units';
import type { Split } from '../../rule-set.ts';

/**
 * Two sleeper-berth periods of 2 hours or more, 8 together. Off duty is no half. The count of 15 hours on duty knows no
 * pause, so that nothing is left out of it.
 */
export const PASSENGER_SPLIT_SLEEPER: Split = {
  clause: '49 CFR 395.1(g)(3)',
  each: fromHours(2),
  total: fromHours(8),
  longSleeper: null,
  loneSleeperPauses: false,
};
