import { fromHours } from '@milepost/units';
import type { Window } from '../../rule-set.ts';

/** No driving after the 14th hour since coming on duty, whatever the driver does in it. Other work may continue. */
export const FOURTEEN_HOUR_WINDOW: Window = {
  rule: 'US_14H',
  clause: '49 CFR 395.3(a)(2)',
  limit: fromHours(14),
  counts: 'elapsed',
};
