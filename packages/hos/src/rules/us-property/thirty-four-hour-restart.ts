import { fromHours } from '@milepost/units';
import type { Required } from '../../rule-set.ts';

/**
 * A period of 7 or 8 days may end with 34 hours off. The 2013 conditions (two nights, once a week) are not in force.
 */
export const THIRTY_FOUR_HOUR_RESTART: Required = { length: fromHours(34), clause: '49 CFR 395.3(c)' };
