import { fromHours } from '@milepost/units';
import type { Cycle } from '../../rule-set.ts';
import { THIRTY_FOUR_HOUR_RESTART } from './thirty-four-hour-restart.ts';

/** No driving after 60 hours on duty in 7 days: carriers that do not operate every day. */
export const SIXTY_HOURS_IN_SEVEN_DAYS: Cycle = {
  rule: 'US_60H',
  clause: '49 CFR 395.3(b)(1)',
  limit: fromHours(60),
  days: 7,
  restart: THIRTY_FOUR_HOUR_RESTART,
};

/** No driving after 70 hours on duty in 8 days: carriers that operate every day of the week. */
export const SEVENTY_HOURS_IN_EIGHT_DAYS: Cycle = {
  rule: 'US_70H',
  clause: '49 CFR 395.3(b)(2)',
  limit: fromHours(70),
  days: 8,
  restart: THIRTY_FOUR_HOUR_RESTART,
};
