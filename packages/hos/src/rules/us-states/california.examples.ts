import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'cal-01-12h-driving',
    ruleSet: 'US_CALIFORNIA_INTRASTATE_80_8',
    log: 'd1 05:00-06:00 ON; 06:00-12:00 D; 12:00-13:00 OFF; 13:00-19:00 D',
    asOf: 'd1 19:00',
    left: '0 / 120 / - / 4020',
  },
  {
    title: 'no driving after the 16th hour',
    ruleSet: 'US_CALIFORNIA_INTRASTATE_80_8',
    log: 'd1 05:00-15:00 ON; 15:00-21:30 D',
    left: '330 / 0 / - / 3810',
    violations: ['CAL_16H d1 21:00'],
  },
  {
    title: 'adverse conditions: fourteen hours of driving',
    ruleSet: 'US_CALIFORNIA_INTRASTATE_80_8',
    log: 'd1 05:00-18:30 D',
    left: '30 / 150 / - / 3990',
    declared: ['adverseDriving d1 12:00-13:00'],
  },
  {
    title: 'but none after the 16th hour',
    ruleSet: 'US_CALIFORNIA_INTRASTATE_80_8',
    log: 'd1 05:00-15:00 ON; 15:00-21:30 D',
    declared: ['adverseDriving d1 16:00-17:00'],
    violations: ['CAL_16H d1 21:00'],
  },
];
