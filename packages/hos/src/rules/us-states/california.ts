import { fromHours } from '@milepost/units';
import type { Cycle, Exceptions, Limit, Window } from '../../rule-set.ts';

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
  restart: { length: fromHours(34), clause: '13 CCR 1212.5(a)(5)' },
};

/** Up to 2 more hours of driving. The 16th hour stays the last. */
export const CALIFORNIA_ADVERSE_DRIVING: Exceptions['adverseDriving'] = {
  clause: '13 CCR 1212(b)(1)',
  drive: fromHours(2),
  window: fromHours(0),
  onDuty: fromHours(0),
  timeOff: fromHours(0),
};
