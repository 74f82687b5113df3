import { fromHours } from '@milepost/units';
import type { Cycle, TimeOff } from '../../rule-set.ts';

export const NORTH_CYCLE_1: Cycle = {
  rule: 'CA_80H_7D',
  clause: 'SOR/2005-313 s. 51',
  limit: fromHours(80),
  days: 7,
  restart: { length: fromHours(36), clause: 'SOR/2005-313 s. 53(1)(a)' },
};

export const NORTH_CYCLE_2: Cycle = {
  rule: 'CA_120H_14D',
  clause: 'SOR/2005-313 s. 52(a)',
  limit: fromHours(120),
  days: 14,
  restart: { length: fromHours(72), clause: 'SOR/2005-313 s. 53(1)(b)' },
};

/** No driving without 24 hours off in one piece within the 14 days before. */
export const NORTH_DAY_OFF_IN_FOURTEEN: TimeOff['periodic'] = {
  rule: 'CA_24H_OFF_14D',
  clause: 'SOR/2005-313 s. 50',
  rest: fromHours(24),
  within: fromHours(14 * 24),
};

/** Cycle 2: 24 hours off before more than 80 hours on duty. */
export const DAY_OFF_BEFORE_EIGHTY: NonNullable<TimeOff['beforeHours']> = {
  rule: 'CA_24H_OFF_80H',
  clause: 'SOR/2005-313 s. 52(b)',
  limit: fromHours(80),
  rest: fromHours(24),
};
