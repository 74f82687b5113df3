import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'pax-04-8h-off-resets',
    ruleSet: 'US_PASSENGER_70_8',
    log: 'd1 06:00-07:00 ON; 07:00-12:00 D; 12:00-13:00 ON; 13:00-17:00 D; 17:00-d2 01:00 OFF',
    asOf: 'd2 01:00',
    left: '600 / 900 / - / 3540',
  },
  {
    title: 'pax-05-7h59-off-no-reset',
    ruleSet: 'US_PASSENGER_70_8',
    log: 'd1 06:00-07:00 ON; 07:00-12:00 D; 12:00-13:00 ON; 13:00-17:00 D; 17:00-d2 00:59 OFF',
    asOf: 'd2 00:59',
    left: '60 / 240 / - / 3540',
  },
];
