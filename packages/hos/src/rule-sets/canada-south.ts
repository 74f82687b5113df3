import type { RuleSet } from '../rule-set.ts';
import { CANADA_ADVERSE_DRIVING } from '../rules/canada-south/adverse-driving.ts';
import { CYCLE_1, CYCLE_2, DAY_OFF_BEFORE_SEVENTY } from '../rules/canada-south/cycles.ts';
import { DEFERRAL, TEN_HOURS_OFF_A_DAY } from '../rules/canada-south/daily-time-off.ts';
import { DAY_OFF_IN_FOURTEEN } from '../rules/canada-south/day-off-in-fourteen.ts';
import { EIGHT_HOURS_OFF } from '../rules/canada-south/eight-hour-rest.ts';
import { FOURTEEN_HOURS_A_DAY, FOURTEEN_HOURS_A_SHIFT } from '../rules/canada-south/fourteen-hours-on-duty.ts';
import { SIXTEEN_HOURS_ELAPSED } from '../rules/canada-south/sixteen-hours-elapsed.ts';
import { CANADA_SPLIT_SLEEPER } from '../rules/canada-south/split-sleeper.ts';
import { THIRTEEN_HOURS_A_DAY, THIRTEEN_HOURS_A_SHIFT } from '../rules/canada-south/thirteen-hour-driving.ts';

export const CA_SOUTH_CYCLE1_70_7: RuleSet = {
  id: 'CA_SOUTH_CYCLE1_70_7',
  name: 'Canada south of 60°, cycle 1: 70 hours in 7 days',
  rest: EIGHT_HOURS_OFF,
  drive: THIRTEEN_HOURS_A_SHIFT,
  window: SIXTEEN_HOURS_ELAPSED,
  onDuty: FOURTEEN_HOURS_A_SHIFT,
  day: { drive: THIRTEEN_HOURS_A_DAY, onDuty: FOURTEEN_HOURS_A_DAY },
  break: null,
  cycle: CYCLE_1,
  split: CANADA_SPLIT_SLEEPER,
  timeOff: { daily: TEN_HOURS_OFF_A_DAY, periodic: DAY_OFF_IN_FOURTEEN, beforeHours: null },
  exceptions: { adverseDriving: CANADA_ADVERSE_DRIVING, deferral: DEFERRAL },
};

export const CA_SOUTH_CYCLE2_120_14: RuleSet = {
  ...CA_SOUTH_CYCLE1_70_7,
  id: 'CA_SOUTH_CYCLE2_120_14',
  name: 'Canada south of 60°, cycle 2: 120 hours in 14 days',
  cycle: CYCLE_2,
  timeOff: { daily: TEN_HOURS_OFF_A_DAY, periodic: DAY_OFF_IN_FOURTEEN, beforeHours: DAY_OFF_BEFORE_SEVENTY },
};
