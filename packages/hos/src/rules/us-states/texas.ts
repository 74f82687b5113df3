import { fromHours } from '@milepost/units';
import type { Cycle, Exceptions, Limit, Split, Window } from '../../rule-set.ts';

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

/** Up to 2 more hours of driving; on a strict reading, the 15 hours on duty stay the same. */
export const TEXAS_ADVERSE_DRIVING: Exceptions['adverseDriving'] = {
  clause: '37 TAC 4.12(a)(12)',
  drive: fromHours(2),
  window: fromHours(0),
  onDuty: fromHours(0),
  timeOff: fromHours(0),
};

/** Agricultural commodities in season, within 150 air miles of their source. The law is silent on what counts later. */
export const TEXAS_AGRICULTURE: Exceptions['agriculture'] = {
  clause: 'Texas Transportation Code 644.053(a)(4)',
  counts: true,
};

export const TEXAS_EMERGENCY_RELIEF: Exceptions['emergencyRelief'] = { clause: '37 TAC 4.12(a)(9)', counts: true };
