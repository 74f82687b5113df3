import { fromHours, milliseconds } from '@milepost/units';
import type { Exceptions } from '../../rule-set.ts';

/**
 * Two more hours of driving and of the window, not of the cycle, for conditions that could not be known beforehand
 * (395.2).
 */
export const ADVERSE_DRIVING: Exceptions['adverseDriving'] = {
  clause: '49 CFR 395.1(b)(1)',
  drive: fromHours(2),
  window: fromHours(2),
  onDuty: milliseconds(0),
  timeOff: milliseconds(0),
};
