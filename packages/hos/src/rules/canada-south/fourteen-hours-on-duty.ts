import { fromHours } from '@milepost/units';
import type { DayLimit, Limit } from '../../rule-set.ts';

/** No driving after 14 hours on duty in a work shift, or in a day. */
export const FOURTEEN_HOURS_A_SHIFT: Limit = {
  rule: 'CA_14H_ONDUTY',
  clause: 'SOR/2005-313 s. 13(2)',
  limit: fromHours(14),
};
export const FOURTEEN_HOURS_A_DAY: DayLimit = { clause: 'SOR/2005-313 s. 12(2)', limit: fromHours(14) };
