import type { RuleSet } from '../rule-set.ts';
import { EMERGENCY_RELIEF } from '../rules/emergency-relief.ts';
import { EIGHT_HOUR_REST } from '../rules/us-passenger/eight-hour-rest.ts';
import { FIFTEEN_HOURS_ON_DUTY } from '../rules/us-passenger/fifteen-hours-on-duty.ts';
import { PASSENGER_SEVENTY_HOURS, PASSENGER_SIXTY_HOURS } from '../rules/us-passenger/sixty-seventy-hours.ts';
import { PASSENGER_SPLIT_SLEEPER } from '../rules/us-passenger/split-sleeper.ts';
import { TEN_HOUR_DRIVING } from '../rules/us-passenger/ten-hour-driving.ts';
import { ADVERSE_DRIVING } from '../rules/us-property/adverse-driving.ts';

export const US_PASSENGER_70_8: RuleSet = {
  id: 'US_PASSENGER_70_8',
  name: 'US passenger, 70 hours in 8 days',
  rest: EIGHT_HOUR_REST,
  drive: TEN_HOUR_DRIVING,
  window: FIFTEEN_HOURS_ON_DUTY,
  onDuty: null,
  day: null,
  break: null,
  cycle: PASSENGER_SEVENTY_HOURS,
  split: PASSENGER_SPLIT_SLEEPER,
  timeOff: null,
  exceptions: { adverseDriving: ADVERSE_DRIVING, emergencyRelief: EMERGENCY_RELIEF },
};

export const US_PASSENGER_60_7: RuleSet = {
  ...US_PASSENGER_70_8,
  id: 'US_PASSENGER_60_7',
  name: 'US passenger, 60 hours in 7 days',
  cycle: PASSENGER_SIXTY_HOURS,
};
