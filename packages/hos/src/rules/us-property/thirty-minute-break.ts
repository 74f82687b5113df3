import { fromHours, fromMinutes } from '@milepost/units';
import type { Break } from '../../rule-set.ts';

/**
 * After 8 hours of driving, 30 minutes in one piece of anything but driving: off duty, on duty, yard moves or personal
 * conveyance (the last two because the text says "not driving"; no guidance says otherwise).
 */
export const THIRTY_MINUTE_BREAK: Break = {
  rule: 'US_30MIN',
  clause: '49 CFR 395.3(a)(3)(ii)',
  limit: fromHours(8),
  length: fromMinutes(30),
};
