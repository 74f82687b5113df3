import { fromHours, milliseconds } from '@milepost/units';
import type { Cycle, Exceptions, Limit, Window } from '../../rule-set.ts';

/** Property carriers in Alaska drive under 395.1(h)(1) in place of 395.3(a) and (b). */
export const ALASKA_DRIVING: Limit = { rule: 'AK_15H', clause: '49 CFR 395.1(h)(1)', limit: fromHours(15) };

export const ALASKA_ON_DUTY: Window = {
  rule: 'AK_20H',
  clause: '49 CFR 395.1(h)(1)',
  limit: fromHours(20),
  counts: 'onDuty',
};

/** The paragraph names no restart: none is counted, which never promises an hour that is not there. */
export const ALASKA_SEVENTY_HOURS: Cycle = {
  rule: 'AK_70H',
  clause: '49 CFR 395.1(h)(1)',
  limit: fromHours(70),
  days: 7,
  restart: null,
};

export const ALASKA_EIGHTY_HOURS: Cycle = {
  rule: 'AK_80H',
  clause: '49 CFR 395.1(h)(1)',
  limit: fromHours(80),
  days: 8,
  restart: null,
};

/** Adverse conditions: the time that is needed to finish the run. */
export const ALASKA_ADVERSE_DRIVING: Exceptions['adverseDriving'] = {
  clause: '49 CFR 395.1(h)',
  drive: milliseconds(Number.POSITIVE_INFINITY),
  window: milliseconds(Number.POSITIVE_INFINITY),
};
