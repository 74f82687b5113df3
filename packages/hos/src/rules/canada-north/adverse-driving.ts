import { fromHours } from '@milepost/units';
import type { Exceptions } from '../../rule-set.ts';

/** Up to 2 more hours of driving. On duty, elapsed time, the 8 hours off and the cycle stay the same. */
export const CANADA_NORTH_ADVERSE_DRIVING: Exceptions['adverseDriving'] = {
  clause: 'SOR/2005-313 s. 76(3)',
  drive: fromHours(2),
  window: fromHours(0),
  onDuty: fromHours(0),
  timeOff: fromHours(0),
};
