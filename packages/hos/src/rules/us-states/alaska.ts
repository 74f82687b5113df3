import { fromHours, milliseconds } from '@milepost/units';
import type { Cycle, Exceptions, Limit, Split, Window } from '../../rule-set.ts';
import { SPLIT_SLEEPER } from '../us-property/split-sleeper.ts';
import { THIRTY_FOUR_HOUR_RESTART } from '../us-property/thirty-four-hour-restart.ts';

/**
 * Property carriers in Alaska drive under 395.1(h)(1) instead of 395.3(a) and (b); the restart of 395.3(c) still
 * applies.
 */
export const ALASKA_DRIVING: Limit = { rule: 'AK_15H', clause: '49 CFR 395.1(h)(1)', limit: fromHours(15) };

export const ALASKA_ON_DUTY: Window = {
  rule: 'AK_20H',
  clause: '49 CFR 395.1(h)(1)',
  limit: fromHours(20),
  counts: 'onDuty',
};

export const ALASKA_SEVENTY_HOURS: Cycle = {
  rule: 'AK_70H',
  clause: '49 CFR 395.1(h)(1)',
  limit: fromHours(70),
  days: 7,
  restart: THIRTY_FOUR_HOUR_RESTART,
};

export const ALASKA_EIGHTY_HOURS: Cycle = {
  rule: 'AK_80H',
  clause: '49 CFR 395.1(h)(1)',
  limit: fromHours(80),
  days: 8,
  restart: THIRTY_FOUR_HOUR_RESTART,
};

/** The rests of 395.1(g)(1), with 15 hours of driving around them and none after the 20th hour on duty. */
export const ALASKA_SPLIT_SLEEPER: Split = { ...SPLIT_SLEEPER, clause: '49 CFR 395.1(h)(1)(iii)' };

/** Adverse conditions: as long as it takes to finish the run. */
export const ALASKA_ADVERSE_DRIVING: Exceptions['adverseDriving'] = {
  clause: '49 CFR 395.1(h)',
  drive: milliseconds(Number.POSITIVE_INFINITY),
  window: milliseconds(Number.POSITIVE_INFINITY),
  onDuty: milliseconds(0),
  timeOff: milliseconds(0),
};
