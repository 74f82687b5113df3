import { fromHours } from '@milepost/units';
import type { TimeOff } from '../../rule-set.ts';

/** No driving without 24 hours off in one piece within the 14 days before. */
export const DAY_OFF_IN_FOURTEEN: TimeOff['periodic'] = {
  rule: 'CA_24H_OFF_14D',
  clause: 'SOR/2005-313 s. 25',
  rest: fromHours(24),
  within: fromHours(14 * 24),
};
