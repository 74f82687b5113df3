import { fromHours } from '@milepost/units';
import type { Required } from '../../rule-set.ts';

/** The rest that ends a work shift. No day asks for more. */
export const EIGHT_HOURS_OFF_NORTH: Required = { length: fromHours(8), clause: 'SOR/2005-313 s. 39' };
