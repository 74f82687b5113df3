import type { Example } from '../../testing/example.ts';

/** 67 hours in seven days, as in the guide's recap: 10, 8.5, 12.5, 9, 10, 12 and 5. */
const RECAP = [
  'd1 06:00-07:00 ON; 07:00-11:00 D; 11:00-12:00 ON; 12:00-16:00 D; 16:00-d2 06:00 OFF',
  'd2 06:00-06:30 ON; 06:30-10:30 D; 10:30-11:00 OFF; 11:00-15:00 D; 15:00-d3 06:00 OFF',
  'd3 06:00-07:30 ON; 07:30-12:30 D; 12:30-13:30 ON; 13:30-18:30 D; 18:30-d4 06:00 OFF',
  'd4 06:00-07:00 ON; 07:00-11:00 D; 11:00-12:00 OFF; 12:00-16:00 D; 16:00-d5 06:00 OFF',
  'd5 06:00-07:00 ON; 07:00-11:00 D; 11:00-12:00 ON; 12:00-16:00 D; 16:00-d6 06:00 OFF',
  'd6 06:00-07:00 ON; 07:00-12:00 D; 12:00-13:00 ON; 13:00-18:00 D; 18:00-d7 06:00 OFF',
  'd7 06:00-11:00 D',
].join('; ');

/** Twelve hours on duty a day. */
const TWELVES = [1, 2, 3, 4, 5]
  .map(day => `d${day} 06:00-07:00 ON; 07:00-12:00 D; 12:00-13:00 ON; 13:00-18:00 D; 18:00-d${day + 1} 06:00 OFF`)
  .join('; ');

export const examples: readonly Example[] = [
  {
    title: 'us-cycle-09-noon-day-start-before-rollover',
    log: 'd1 06:00-10:00 ON; 10:00-13:00 OFF; 13:00-14:00 ON; 14:00-d2 13:00 OFF; 13:00-14:00 ON; 14:00-d3 13:00 OFF; 13:00-14:00 ON; 14:00-d4 13:00 OFF; 13:00-14:00 ON; 14:00-d5 13:00 OFF; 13:00-14:00 ON; 14:00-d6 13:00 OFF; 13:00-14:00 ON; 14:00-d7 13:00 OFF; 13:00-14:00 ON; 14:00-d8 11:59 OFF',
    asOf: 'd8 11:59',
    left: '660 / 840 / 480 / 3540',
    startOfDay: '12:00',
  },
  {
    title: 'us-cycle-10-noon-day-start-after-rollover',
    log: 'd1 06:00-10:00 ON; 10:00-13:00 OFF; 13:00-14:00 ON; 14:00-d2 13:00 OFF; 13:00-14:00 ON; 14:00-d3 13:00 OFF; 13:00-14:00 ON; 14:00-d4 13:00 OFF; 13:00-14:00 ON; 14:00-d5 13:00 OFF; 13:00-14:00 ON; 14:00-d6 13:00 OFF; 13:00-14:00 ON; 14:00-d7 13:00 OFF; 13:00-14:00 ON; 14:00-d8 12:00 OFF',
    asOf: 'd8 12:00',
    left: '660 / 840 / 480 / 3780',
    startOfDay: '12:00',
  },
  { title: 'us-cycle-04: the recap of 67 hours', log: RECAP, left: '360 / 540 / 180 / 180' },
  {
    title: 'us-cycle-05: six hours more are three too many',
    log: `${RECAP}; 11:00-d8 06:00 OFF; 06:00-10:00 D; 10:00-10:30 OFF; 10:30-12:30 D`,
    left: '300 / 450 / 360 / 0',
    violations: ['US_70H d8 09:00'],
  },
  {
    title: 'us-cycle-06: the next day, the first ten hours no longer count',
    log: `${RECAP}; 11:00-d8 06:00 OFF; 06:00-10:00 D; 10:00-10:30 OFF; 10:30-12:30 D; 12:30-d9 12:00 OFF`,
    left: '660 / 840 / 480 / 420',
    violations: ['US_70H d8 09:00'],
  },
  {
    title: 'us-cycle-07: driving after 60 hours',
    ruleSet: 'US_PROPERTY_60_7',
    log: `${TWELVES}; 06:00-07:00 D`,
    left: '600 / 780 / 420 / 0',
    violations: ['US_60H d6 06:00'],
  },
  {
    title: 'us-cycle-08: other work after 60 hours is legal',
    ruleSet: 'US_PROPERTY_60_7',
    log: `${TWELVES}; 06:00-08:00 ON`,
    left: '660 / 720 / 480 / 0',
  },
];
