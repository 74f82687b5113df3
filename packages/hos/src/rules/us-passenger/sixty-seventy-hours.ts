import { fromHours } from '@milepost/units';
import type { Cycle } from '../../rule-set.ts';

/** As for property, but 395.5 has no restart: hours come back only as days pass. */
export const PASSENGER_SIXTY_HOURS: Cycle = {
  rule: 'US_PAX_60H',
  clause: '49 CFR 395.5(b)(1)',
  limit: fromHours(60),
  days: 7,
  restart: null,
};

export const PASSENGER_SEVENTY_HOURS: Cycle = {
  rule: 'US_PAX_70H',
  clause: '49 CFR 395.5(b)(2)',
  limit: fromHours(70),
  days: 8,
  restart: null,
};
