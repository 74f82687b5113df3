import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'pax-02-15h-off-duty-does-not-count',
    ruleSet: 'US_PASSENGER_70_8',
    log: 'd1 06:00-08:00 ON; 08:00-12:00 D; 12:00-15:00 OFF; 15:00-19:00 D; 19:00-22:00 ON; 22:00-23:00 D',
    asOf: 'd1 23:00',
    left: '60 / 60 / - / 3360',
  },
  {
    title: 'pax-03-15h-on-duty-over',
    ruleSet: 'US_PASSENGER_70_8',
    log: 'd1 06:00-10:00 ON; 10:00-14:00 D; 14:00-15:00 OFF; 15:00-20:00 ON; 20:00-22:30 D',
    asOf: 'd1 22:30',
    left: '210 / 0 / - / 3270',
    violations: ['US_PAX_15H d1 22:00'],
  },
];
