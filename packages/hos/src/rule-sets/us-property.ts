import type { RuleSet } from '../rule-set.ts';
import { EMERGENCY_RELIEF } from '../rules/emergency-relief.ts';
import { ADVERSE_DRIVING } from '../rules/us-property/adverse-driving.ts';
import { AGRICULTURE } from '../rules/us-property/agriculture.ts';
import { ELEVEN_HOUR_DRIVING } from '../rules/us-property/eleven-hour-driving.ts';
import { FOURTEEN_HOUR_WINDOW } from '../rules/us-property/fourteen-hour-window.ts';
import { OILFIELD_RESTART, WELL_SITE_WAITING } from '../rules/us-property/oilfield.ts';
import { SHORT_HAUL, SHORT_HAUL_NON_CDL } from '../rules/us-property/short-haul.ts';
import { SIXTEEN_HOUR_DAY } from '../rules/us-property/sixteen-hour-day.ts';
import { SEVENTY_HOURS_IN_EIGHT_DAYS, SIXTY_HOURS_IN_SEVEN_DAYS } from '../rules/us-property/sixty-seventy-hours.ts';
import { SPLIT_SLEEPER } from '../rules/us-property/split-sleeper.ts';
import { TEN_HOUR_REST } from '../rules/us-property/ten-hour-rest.ts';
import { THIRTY_MINUTE_BREAK } from '../rules/us-property/thirty-minute-break.ts';

export const US_PROPERTY_70_8: RuleSet = {
  id: 'US_PROPERTY_70_8',
  name: 'US property, 70 hours in 8 days',
  rest: TEN_HOUR_REST,
  drive: ELEVEN_HOUR_DRIVING,
  window: FOURTEEN_HOUR_WINDOW,
  onDuty: null,
  day: null,
  break: THIRTY_MINUTE_BREAK,
  cycle: SEVENTY_HOURS_IN_EIGHT_DAYS,
  split: SPLIT_SLEEPER,
  timeOff: null,
  exceptions: {
    adverseDriving: ADVERSE_DRIVING,
    shortHaul: SHORT_HAUL,
    shortHaulNonCdl: SHORT_HAUL_NON_CDL,
    sixteenHourException: SIXTEEN_HOUR_DAY,
    agriculture: AGRICULTURE,
    emergencyRelief: EMERGENCY_RELIEF,
  },
};

export const US_PROPERTY_60_7: RuleSet = {
  ...US_PROPERTY_70_8,
  id: 'US_PROPERTY_60_7',
  name: 'US property, 60 hours in 7 days',
  cycle: SIXTY_HOURS_IN_SEVEN_DAYS,
};

export const US_OILFIELD_70_8: RuleSet = {
  ...US_PROPERTY_70_8,
  id: 'US_OILFIELD_70_8',
  name: 'US oilfield, 70 hours in 8 days, 24-hour restart',
  cycle: { ...SEVENTY_HOURS_IN_EIGHT_DAYS, restart: OILFIELD_RESTART },
};

export const US_OILFIELD_WELL_70_8: RuleSet = {
  ...US_OILFIELD_70_8,
  id: 'US_OILFIELD_WELL_70_8',
  name: 'US oilfield, waiting at the well outside the 14 hours',
  exceptions: { ...US_PROPERTY_70_8.exceptions, wellSiteWaiting: WELL_SITE_WAITING },
};
