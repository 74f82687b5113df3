import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'work within the radius takes nothing from the clocks',
    log: 'd1 06:00-07:00 ON; 07:00-22:00 D',
    declared: ['agriculture'],
    left: '660 / 840 / 480 / 4200',
  },
  {
    title: 'beyond the radius the clocks start at zero',
    log: 'd1 06:00-12:00 D; 12:00-15:00 D',
    declared: ['agriculture d1 06:00-12:00'],
    left: '480 / 660 / 300 / 4020',
  },
  {
    title: 'the window leaves out what is done back inside',
    log: 'd1 06:00-11:00 D; 11:00-15:00 D; 15:00-19:00 D',
    declared: ['agriculture d1 11:00-15:00'],
    left: '120 / 300 / 0 / 3660',
    violations: ['US_30MIN d1 18:00'],
  },
  {
    title: 'it is no rest: ten hours off are counted anew after it',
    log: 'd1 06:00-16:00 D; 16:00-21:00 OFF; 21:00-22:00 D; 22:00-d2 03:00 OFF; 03:00-05:00 D',
    declared: ['agriculture d1 21:00-22:00'],
    left: '0 / 0 / 360 / 3480',
    violations: ['US_30MIN d1 14:00', 'US_14H d2 03:00', 'US_11H d2 04:00'],
  },
  {
    title: 'without an end it ends with the shift',
    log: 'd1 06:00-20:00 D; 20:00-d2 06:00 OFF; 06:00-08:00 D',
    declared: ['agriculture d1 06:00'],
    left: '540 / 720 / 360 / 4080',
  },
  {
    title: 'one without an end from days before the log belongs to a shift that the log does not show',
    log: 'd3 06:00-08:00 D',
    withoutPast: true,
    declared: ['agriculture d1 06:00-'],
    left: '540 / 720 / 360 / 4080',
  },
  {
    title: 'passenger rules have no such exemption',
    ruleSet: 'US_PASSENGER_70_8',
    log: 'd1 06:00-17:00 D',
    declared: ['agriculture'],
    left: '0 / 240 / - / 3540',
    violations: ['US_PAX_10H d1 16:00'],
  },
];
