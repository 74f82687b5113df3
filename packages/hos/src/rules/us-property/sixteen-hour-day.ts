import { fromHours } from '@milepost/units';
import type { Exceptions } from '../../rule-set.ts';

/**
 * A window of 16 hours for a driver who returns to the normal reporting place, once between restarts or in 7 days. The
 * log cannot show whether the last five tours ended there, so it must be declared.
 */
export const SIXTEEN_HOUR_DAY: Exceptions['sixteenHourException'] = {
  clause: '49 CFR 395.1(o)',
  window: fromHours(16),
  onceIn: 7,
};
