import { fromHours } from '@milepost/units';
import type { Exceptions } from '../../rule-set.ts';

/**
 * Up to 2 more hours of driving and on-duty time, in the shift and in the day, and 2 hours less off duty that day. The
 * 8 hours off stay the same, and so do, on a strict reading, the 16 elapsed hours and the cycle.
 */
export const CANADA_ADVERSE_DRIVING: Exceptions['adverseDriving'] = {
  clause: 'SOR/2005-313 s. 76(2)',
  drive: fromHours(2),
  window: fromHours(0),
  onDuty: fromHours(2),
  timeOff: fromHours(2),
};
