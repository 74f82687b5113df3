import { fromHours } from '@milepost/units';
import type { Split } from '../../rule-set.ts';

/**
 * Two sleeper-berth periods of 2 hours or more, 8 together. Off duty cannot be a half. The 15 hours count only on-duty
 * time, so nothing needs to be excluded from them.
 */
export const PASSENGER_SPLIT_SLEEPER: Split = {
  clause: '49 CFR 395.1(g)(3)',
  each: fromHours(2),
  total: fromHours(8),
  longSleeper: null,
  loneSleeperPauses: false,
};
