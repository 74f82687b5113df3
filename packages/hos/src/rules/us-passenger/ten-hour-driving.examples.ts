import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'pax-01-10h-driving-over',
    ruleSet: 'US_PASSENGER_70_8',
    log: 'd1 06:00-07:00 ON; 07:00-12:00 D; 12:00-13:00 ON; 13:00-18:30 D',
    asOf: 'd1 18:30',
    left: '0 / 150 / - / 3450',
    violations: ['US_PAX_10H d1 18:00'],
  },
];
