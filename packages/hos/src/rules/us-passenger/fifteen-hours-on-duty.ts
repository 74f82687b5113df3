import { fromHours } from '@milepost/units';
import type { Window } from '../../rule-set.ts';

/** No driving after 15 hours on duty; time off duty in between does not count. */
export const FIFTEEN_HOURS_ON_DUTY: Window = {
  rule: 'US_PAX_15H',
  clause: '49 CFR 395.5(a)(2)',
  limit: fromHours(15),
  counts: 'onDuty',
};
