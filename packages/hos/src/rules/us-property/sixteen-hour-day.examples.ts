import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'us-16h-01-big-day',
    log: 'd1 05:00-06:00 ON; 06:00-11:00 D; 11:00-14:00 ON; 14:00-17:00 D; 17:00-19:00 ON; 19:00-20:30 D',
    asOf: 'd1 20:30',
    left: '90 / 30 / 390 / 3270',
    declared: ['sixteenHourException'],
  },
  {
    title: 'a second one within the week does not count',
    log: 'd1 06:00-10:00 D; 10:00-20:00 ON; 20:00-21:00 D; 21:00-d2 08:00 OFF; 08:00-12:00 D; 12:00-22:00 ON; 22:00-23:00 D',
    left: '360 / 0 / 420 / 2400',
    declared: ['sixteenHourException'],
    violations: ['US_14H d2 22:00'],
  },
  {
    title: 'a restart between the two makes it available again',
    log: 'd1 06:00-10:00 D; 10:00-20:00 ON; 20:00-21:00 D; 21:00-d3 08:00 OFF; 08:00-12:00 D; 12:00-22:00 ON; 22:00-23:00 D',
    left: '360 / 60 / 420 / 3300',
    declared: ['sixteenHourException'],
  },
  {
    title: 'on the eighth day it may be used again',
    log: 'd1 06:00-10:00 D; 10:00-20:00 ON; 20:00-21:00 D; 21:00-d2 12:00 OFF; 12:00-13:00 ON; 13:00-d3 12:00 OFF; 12:00-13:00 ON; 13:00-d4 12:00 OFF; 12:00-13:00 ON; 13:00-d5 12:00 OFF; 12:00-13:00 ON; 13:00-d6 12:00 OFF; 12:00-13:00 ON; 13:00-d7 12:00 OFF; 12:00-13:00 ON; 13:00-d8 06:00 OFF; 06:00-10:00 D; 10:00-20:00 ON; 20:00-21:00 D',
    left: '360 / 60 / 420 / 2040',
    declared: ['sixteenHourException'],
  },
];
