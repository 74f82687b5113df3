import { fromHours } from '@milepost/units';
import type { Cycle, TimeOff } from '../../rule-set.ts';

export const CYCLE_1: Cycle = {
  rule: 'CA_70H_7D',
  clause: 'SOR/2005-313 s. 26',
  limit: fromHours(70),
  days: 7,
  restart: { length: fromHours(36), clause: 'SOR/2005-313 s. 28(1)(a)' },
};

export const CYCLE_2: Cycle = {
  rule: 'CA_120H_14D',
  clause: 'SOR/2005-313 s. 27(a)',
  limit: fromHours(120),
  days: 14,
  restart: { length: fromHours(72), clause: 'SOR/2005-313 s. 28(1)(b)' },
};

/** Cycle 2: 24 hours off before more than 70 hours on duty. */
export const DAY_OFF_BEFORE_SEVENTY: NonNullable<TimeOff['beforeHours']> = {
  rule: 'CA_24H_OFF_70H',
  clause: 'SOR/2005-313 s. 27(b)',
  limit: fromHours(70),
  rest: fromHours(24),
};
