import { fromHours } from '@milepost/units';
import type { Limit } from '../../rule-set.ts';

/** 15 hours of driving in a work shift. There is no limit for a day. */
export const FIFTEEN_HOURS_OF_DRIVING: Limit = {
  rule: 'CA_15H_DRIVE',
  clause: 'SOR/2005-313 s. 39(1)',
  limit: fromHours(15),
};
