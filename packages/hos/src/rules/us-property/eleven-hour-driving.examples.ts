import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'us-11h-01-guide-limit-reached',
    log: 'd1 06:00-07:00 ON; 07:00-14:00 D; 14:00-14:30 OFF; 14:30-18:30 D',
    asOf: 'd1 18:30',
    left: '0 / 90 / 240 / 3480',
  },
  {
    title: 'us-11h-02-over',
    log: 'd1 06:00-07:00 ON; 07:00-14:00 D; 14:00-14:30 OFF; 14:30-19:00 D',
    asOf: 'd1 19:00',
    left: '0 / 60 / 210 / 3450',
    violations: ['US_11H d1 18:30'],
  },
];
