import { fromHours } from '@milepost/units';
import type { Cycle, Limit, Split, Window } from '../../rule-set.ts';

/** Within Texas, after 8 hours off. */
export const TEXAS_DRIVING: Limit = { rule: 'TEX_12H', clause: '37 TAC 4.12(a)(2)', limit: fromHours(12) };

export const TEXAS_ON_DUTY: Window = {
  rule: 'TEX_15H',
  clause: '37 TAC 4.12(a)(2)',
  limit: fromHours(15),
  counts: 'onDuty',
};

export const TEXAS_SEVENTY_HOURS: Cycle = {
  rule: 'TEX_70H',
  clause: '37 TAC 4.12(a)(2)',
  limit: fromHours(70),
  days: 7,
  restart: { length: fromHours(34), clause: '37 TAC 4.12' },
};

export const TEXAS_SPLIT_SLEEPER: Split = {
  clause: '37 TAC 4.12(a)(2)',
  each: fromHours(2),
  total: fromHours(8),
  longSleeper: null,
  loneSleeperPauses: false,
};
