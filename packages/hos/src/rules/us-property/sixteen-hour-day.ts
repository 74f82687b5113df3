import { fromHours } from '@milepost/units';
import type { Exceptions } from '../../rule-set.ts';

/**
 * A window of 16 hours for a driver who returns to the normal reporting place, once between restarts or in 7 days.
 * Whether the last five tours ended there, the log cannot show: the declaration says so.
 */
export const SIXTEEN_HOUR_DAY: Exceptions['sixteenHourException'] = {
  clause: '49 CFR 395.1(o)',
  window: fromHours(16),
  onceIn: 7,
};
