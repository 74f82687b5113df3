import { fromHours } from '@milepost/units';
import type { Limit } from '../../rule-set.ts';

/** No driving after 18 hours on duty in a work shift. */
export const EIGHTEEN_HOURS_ON_DUTY: Limit = {
  rule: 'CA_18H_ONDUTY',
  clause: 'SOR/2005-313 s. 39(1)',
  limit: fromHours(18),
};
