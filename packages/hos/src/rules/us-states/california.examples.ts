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
];
