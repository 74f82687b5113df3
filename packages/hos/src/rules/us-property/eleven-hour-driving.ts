import { fromHours } from '@milepost/units';
import type { Limit } from '../../rule-set.ts';

/** 11 hours of driving in the window that follows 10 hours off. Exactly 11 hours is legal. */
export const ELEVEN_HOUR_DRIVING: Limit = {
  rule: 'US_11H',
  clause: '49 CFR 395.3(a)(3)(i)',
  limit: fromHours(11),
};
