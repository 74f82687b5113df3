import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'us-adverse-01-13h-exact',
    log: 'd1 06:00-06:30 ON; 06:30-12:30 D; 12:30-13:00 ON; 13:00-20:00 D',
    asOf: 'd1 20:00',
    left: '0 / 120 / 60 / 3360',
    declared: ['adverseDriving'],
  },
  {
    title: 'us-adverse-02-13h-over',
    log: 'd1 06:00-06:30 ON; 06:30-12:30 D; 12:30-13:00 ON; 13:00-20:30 D',
    asOf: 'd1 20:30',
    left: '0 / 90 / 30 / 3330',
    violations: ['US_11H d1 20:00'],
    declared: ['adverseDriving'],
  },
  {
    title: 'us-adverse-03-same-log-no-exception',
    log: 'd1 06:00-06:30 ON; 06:30-12:30 D; 12:30-13:00 ON; 13:00-20:00 D',
    asOf: 'd1 20:00',
    left: '0 / 0 / 60 / 3360',
    violations: ['US_11H d1 18:00'],
  },
  {
    title: 'it does not lengthen the eight hours before a break',
    log: 'd1 06:00-15:00 D',
    left: '240 / 420 / 0 / 3660',
    declared: ['adverseDriving'],
    violations: ['US_30MIN d1 14:00'],
  },
  {
    title: 'declared after the eleventh hour, it does not apply to earlier driving',
    log: 'd1 06:00-12:00 D; 12:00-12:30 OFF; 12:30-18:30 D',
    left: '60 / 210 / 120 / 3480',
    declared: ['adverseDriving d1 18:00-18:30'],
    violations: ['US_11H d1 17:30'],
  },
  {
    title: 'it ends with the shift',
    log: 'd1 06:00-10:00 D; 10:00-20:00 OFF; 20:00-d2 01:00 D',
    left: '360 / 540 / 180 / 3660',
    declared: ['adverseDriving d1 08:00-09:00'],
  },
  {
    title: 'buses get 12 and 17 hours',
    ruleSet: 'US_PASSENGER_70_8',
    log: 'd1 06:00-18:00 D',
    left: '0 / 300 / - / 3480',
    declared: ['adverseDriving'],
  },
  {
    title: 'declared without an end, it ends with its shift, too',
    log: 'd1 06:00-12:00 D; 12:00-d3 06:00 OFF',
    left: '660 / 840 / 480 / 4200',
    declared: ['adverseDriving d1 10:00'],
  },
  {
    title: 'declared in the rest before a shift, it applies to that shift',
    log: 'd1 06:00-12:00 D; 12:00-d2 06:00 OFF; 06:00-07:00 D',
    left: '720 / 900 / 420 / 3780',
    declared: ['adverseDriving d2 05:00'],
  },
];
