import { fromHours } from '@milepost/units';
import type { Window } from '../../rule-set.ts';

/** No driving once 20 hours have passed since the last 8 hours off. */
export const TWENTY_HOURS_ELAPSED: Window = {
  rule: 'CA_20H_ELAPSED',
  clause: 'SOR/2005-313 s. 39',
  limit: fromHours(20),
  counts: 'elapsed',
};
