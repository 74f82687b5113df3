import type { RuleSet } from '../rule-set.ts';
import { CANADA_NORTH_ADVERSE_DRIVING } from '../rules/canada-north/adverse-driving.ts';
import {
  DAY_OFF_BEFORE_EIGHTY,
  NORTH_CYCLE_1,
  NORTH_CYCLE_2,
  NORTH_DAY_OFF_IN_FOURTEEN,
} from '../rules/canada-north/cycles.ts';
import { EIGHT_HOURS_OFF_NORTH } from '../rules/canada-north/eight-hour-rest.ts';
import { EIGHTEEN_HOURS_ON_DUTY } from '../rules/canada-north/eighteen-hours-on-duty.ts';
import { FIFTEEN_HOURS_OF_DRIVING } from '../rules/canada-north/fifteen-hour-driving.ts';
import { CANADA_NORTH_SPLIT_SLEEPER } from '../rules/canada-north/split-sleeper.ts';
import { TWENTY_HOURS_ELAPSED } from '../rules/canada-north/twenty-hours-elapsed.ts';

export const CA_NORTH_CYCLE1_80_7: RuleSet = {
  id: 'CA_NORTH_CYCLE1_80_7',
  name: 'Canada north of 60°, cycle 1: 80 hours in 7 days',
  rest: EIGHT_HOURS_OFF_NORTH,
  drive: FIFTEEN_HOURS_OF_DRIVING,
  window: TWENTY_HOURS_ELAPSED,
  onDuty: EIGHTEEN_HOURS_ON_DUTY,
  day: null,
  break: null,
  cycle: NORTH_CYCLE_1,
  split: CANADA_NORTH_SPLIT_SLEEPER,
  timeOff: { daily: null, periodic: NORTH_DAY_OFF_IN_FOURTEEN, beforeHours: null },
  exceptions: { adverseDriving: CANADA_NORTH_ADVERSE_DRIVING },
};

export const CA_NORTH_CYCLE2_120_14: RuleSet = {
  ...CA_NORTH_CYCLE1_80_7,
  id: 'CA_NORTH_CYCLE2_120_14',
  name: 'Canada north of 60°, cycle 2: 120 hours in 14 days',
  cycle: NORTH_CYCLE_2,
  timeOff: { daily: null, periodic: NORTH_DAY_OFF_IN_FOURTEEN, beforeHours: DAY_OFF_BEFORE_EIGHTY },
};
