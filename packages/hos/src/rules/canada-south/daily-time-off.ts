import { fromHours, fromMinutes } from '@milepost/units';
import type { Exceptions, TimeOff } from '../../rule-set.ts';

/**
 * 10 hours off in each day, in pieces of 30 minutes or more, 2 of them outside the 8 that end a work shift. Judged when
 * the day is over, and the rest in progress at its end.
 */
export const TEN_HOURS_OFF_A_DAY: TimeOff['daily'] = {
  rule: 'CA_10H_OFF',
  clause: 'SOR/2005-313 s. 14',
  limit: fromHours(10),
  block: fromMinutes(30),
  beside: { clause: 'SOR/2005-313 s. 14(3)', limit: fromHours(2) },
};

/** Up to 2 of them may be moved to the next day. The driving and on-duty limits stay the same. */
export const DEFERRAL: Exceptions['deferral'] = { clause: 'SOR/2005-313 s. 16', most: fromHours(2) };
