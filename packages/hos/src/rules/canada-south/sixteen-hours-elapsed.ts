import { fromHours } from '@milepost/units';
import type { Window } from '../../rule-set.ts';

/** No driving once 16 hours have passed since the last 8 hours off. */
export const SIXTEEN_HOURS_ELAPSED: Window = {
  rule: 'CA_16H_ELAPSED',
  clause: 'SOR/2005-313 s. 13(3)',
  limit: fromHours(16),
  counts: 'elapsed',
};
