import { fromHours } from '@milepost/units';
import type { Exceptions } from '../../rule-set.ts';

/** Within 150 air miles, back and released within 14 hours: no break needed. The 11 hours and the cycle still apply. */
export const SHORT_HAUL: Exceptions['shortHaul'] = { clause: '49 CFR 395.1(e)(1)' };

/** Vehicles that need no commercial license: driving up to the 16th hour on two days of any seven. */
export const SHORT_HAUL_NON_CDL: Exceptions['shortHaulNonCdl'] = {
  clause: '49 CFR 395.1(e)(2)',
  window: fromHours(16),
  days: 2,
};
