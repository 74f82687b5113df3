import { fromHours } from '@milepost/units';
import type { Cycle, Limit, Window } from '../../rule-set.ts';

/** Trucks within California, except tanks of more than 500 gallons of flammable liquid, which have 10 hours. */
export const CALIFORNIA_DRIVING: Limit = { rule: 'CAL_12H', clause: '13 CCR 1212.5(a)(2)', limit: fromHours(12) };

export const CALIFORNIA_WINDOW: Window = {
  rule: 'CAL_16H',
  clause: '13 CCR 1212.5(a)(2)',
  limit: fromHours(16),
  counts: 'elapsed',
};

export const CALIFORNIA_EIGHTY_HOURS: Cycle = {
  rule: 'CAL_80H',
  clause: '13 CCR 1212.5(a)(4)',
  limit: fromHours(80),
  days: 8,
  restart: { length: fromHours(34), clause: '13 CCR 1212.5' },
};
