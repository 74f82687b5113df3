import type { Example } from '../../testing/example.ts';

const DAYS = [1, 2, 3, 4, 5]
  .map(day => `d${day} 06:00-11:00 D; 11:00-15:00 ON; 15:00-20:00 D; 20:00-d${day + 1} 06:00 OFF`)
  .join('; ');

export const examples: readonly Example[] = [
  {
    title: '34 hours off do not reset the cycle',
    ruleSet: 'US_PASSENGER_70_8',
    log: `${DAYS}; 06:00-d7 06:00 OFF`,
    left: '600 / 900 / - / 0',
  },
  {
    title: 'driving after 70 hours',
    ruleSet: 'US_PASSENGER_70_8',
    log: `${DAYS}; 06:00-06:30 D`,
    left: '570 / 870 / - / 0',
    violations: ['US_PAX_70H d6 06:00'],
  },
  {
    title: 'driving after 60 hours',
    ruleSet: 'US_PASSENGER_60_7',
    log: DAYS,
    left: '600 / 900 / - / 0',
    violations: ['US_PAX_60H d5 10:00'],
  },
];
