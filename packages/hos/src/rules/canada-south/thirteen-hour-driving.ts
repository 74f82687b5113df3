import { fromHours } from '@milepost/units';
import type { DayLimit, Limit } from '../../rule-set.ts';

/** 13 hours of driving in a work shift, and in a day. Midnight gives the day's hours back, not the shift's. */
export const THIRTEEN_HOURS_A_SHIFT: Limit = {
  rule: 'CA_13H_DRIVE',
  clause: 'SOR/2005-313 s. 13(1)',
  limit: fromHours(13),
};
export const THIRTEEN_HOURS_A_DAY: DayLimit = { clause: 'SOR/2005-313 s. 12(1)', limit: fromHours(13) };
