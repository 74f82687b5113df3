import { fromHours } from '@milepost/units';
import type { Required } from '../../rule-set.ts';

/** The rest that ends a work shift. */
export const EIGHT_HOURS_OFF: Required = { length: fromHours(8), clause: 'SOR/2005-313 s. 13' };
