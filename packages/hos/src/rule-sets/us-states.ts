import type { RuleSet } from '../rule-set.ts';
import { EMERGENCY_RELIEF } from '../rules/emergency-relief.ts';
import { EIGHT_HOUR_REST } from '../rules/us-passenger/eight-hour-rest.ts';
import { AGRICULTURE } from '../rules/us-property/agriculture.ts';
import { TEN_HOUR_REST } from '../rules/us-property/ten-hour-rest.ts';
import {
  ALASKA_ADVERSE_DRIVING,
  ALASKA_DRIVING,
  ALASKA_EIGHTY_HOURS,
  ALASKA_ON_DUTY,
  ALASKA_SEVENTY_HOURS,
  ALASKA_SPLIT_SLEEPER,
} from '../rules/us-states/alaska.ts';
import {
  CALIFORNIA_ADVERSE_DRIVING,
  CALIFORNIA_DRIVING,
  CALIFORNIA_EIGHTY_HOURS,
  CALIFORNIA_WINDOW,
} from '../rules/us-states/california.ts';
import {
  TEXAS_ADVERSE_DRIVING,
  TEXAS_AGRICULTURE,
  TEXAS_DRIVING,
  TEXAS_EMERGENCY_RELIEF,
  TEXAS_ON_DUTY,
  TEXAS_SEVENTY_HOURS,
  TEXAS_SPLIT_SLEEPER,
} from '../rules/us-states/texas.ts';

const NONE = { onDuty: null, day: null, break: null, split: null, timeOff: null, exceptions: {} } as const;

export const US_ALASKA_PROPERTY_80_8: RuleSet = {
  ...NONE,
  id: 'US_ALASKA_PROPERTY_80_8',
  name: 'Alaska property, 80 hours in 8 days',
  rest: { ...TEN_HOUR_REST, clause: '49 CFR 395.1(h)(1)' },
  drive: ALASKA_DRIVING,
  window: ALASKA_ON_DUTY,
  cycle: ALASKA_EIGHTY_HOURS,
  split: ALASKA_SPLIT_SLEEPER,
  exceptions: { adverseDriving: ALASKA_ADVERSE_DRIVING, agriculture: AGRICULTURE, emergencyRelief: EMERGENCY_RELIEF },
};

export const US_ALASKA_PROPERTY_70_7: RuleSet = {
  ...US_ALASKA_PROPERTY_80_8,
  id: 'US_ALASKA_PROPERTY_70_7',
  name: 'Alaska property, 70 hours in 7 days',
  cycle: ALASKA_SEVENTY_HOURS,
};

export const US_CALIFORNIA_INTRASTATE_80_8: RuleSet = {
  ...NONE,
  id: 'US_CALIFORNIA_INTRASTATE_80_8',
  name: 'California intrastate, 80 hours in 8 days',
  rest: { ...TEN_HOUR_REST, clause: '13 CCR 1212.5' },
  drive: CALIFORNIA_DRIVING,
  window: CALIFORNIA_WINDOW,
  cycle: CALIFORNIA_EIGHTY_HOURS,
  exceptions: { adverseDriving: CALIFORNIA_ADVERSE_DRIVING },
};

export const US_TEXAS_INTRASTATE_70_7: RuleSet = {
  ...NONE,
  id: 'US_TEXAS_INTRASTATE_70_7',
  name: 'Texas intrastate, 70 hours in 7 days',
  rest: { ...EIGHT_HOUR_REST, clause: '37 TAC 4.12(a)(2)' },
  drive: TEXAS_DRIVING,
  window: TEXAS_ON_DUTY,
  cycle: TEXAS_SEVENTY_HOURS,
  split: TEXAS_SPLIT_SLEEPER,
  exceptions: {
    adverseDriving: TEXAS_ADVERSE_DRIVING,
    agriculture: TEXAS_AGRICULTURE,
    emergencyRelief: TEXAS_EMERGENCY_RELIEF,
  },
};
