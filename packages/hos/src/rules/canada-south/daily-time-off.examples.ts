import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'a day with nine hours off',
    ruleSet: 'CA_SOUTH_CYCLE2_120_14',
    log: 'd1 00:00-06:00 OFF; 06:00-21:00 ON; 21:00-d2 06:00 OFF',
    violations: ['CA_10H_OFF d1 00:00'],
  },
  {
    title: 'pieces under half an hour do not count',
    ruleSet: 'CA_SOUTH_CYCLE2_120_14',
    log: 'd1 00:00-06:00 OFF; 06:00-12:00 ON; 12:00-12:29 OFF; 12:29-20:29 ON; 20:29-d2 06:00 OFF',
    violations: ['CA_10H_OFF d1 00:00'],
  },
  {
    title: 'a day is judged when it is over',
    ruleSet: 'CA_SOUTH_CYCLE2_120_14',
    log: 'd1 00:00-06:00 OFF; 06:00-21:00 ON; 21:00-23:59 OFF',
  },
  {
    title: 'two hours may be deferred to the next day',
    ruleSet: 'CA_SOUTH_CYCLE2_120_14',
    log: 'd1 00:00-06:00 OFF; 06:00-21:00 ON; 21:00-d2 08:00 OFF; 08:00-20:00 ON; 20:00-d3 06:00 OFF',
    declared: ['deferral d1 12:00-13:00'],
  },
  {
    title: 'deferred hours must be taken the next day',
    ruleSet: 'CA_SOUTH_CYCLE2_120_14',
    log: 'd1 00:00-06:00 OFF; 06:00-21:00 ON; 21:00-d2 08:00 OFF; 08:00-22:00 ON; 22:00-d3 06:00 OFF',
    declared: ['deferral d1 12:00-13:00'],
    violations: ['CA_10H_OFF d2 00:00'],
  },
  {
    title: 'more than two hours may not be deferred',
    ruleSet: 'CA_SOUTH_CYCLE2_120_14',
    log: 'd1 00:00-04:00 OFF; 04:00-21:00 ON; 21:00-d2 12:00 OFF; 12:00-13:00 ON; 13:00-d3 06:00 OFF',
    declared: ['deferral d1 12:00-13:00'],
    violations: ['CA_10H_OFF d1 00:00'],
  },
  {
    title: 'eight hours off before and after a day leave it without other time off',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 09:00-21:00 D; 21:00-d2 05:00 OFF; 05:00-17:00 D; 17:00-d3 01:00 OFF; 01:00-13:00 D; 13:00-d4 12:00 OFF',
    asOf: 'd4 12:00',
    violations: ['CA_10H_OFF d2 00:00'],
  },
  {
    title: 'ten hours in one piece count as eight and two',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 09:00-21:00 D; 21:00-d2 05:00 OFF; 05:00-17:00 D; 17:00-d3 03:00 OFF; 03:00-13:00 D; 13:00-d4 12:00 OFF',
  },
  {
    title: 'the rest during which a day ends may still add what the day lacks',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 09:00-21:00 D; 21:00-d2 05:00 OFF; 05:00-17:00 D; 17:00-d3 01:00 OFF',
  },
  {
    title: 'two extra hours count for one of two days, not both',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 09:00-21:00 D; 21:00-d2 05:00 OFF; 05:00-17:00 D; 17:00-d3 03:00 OFF; 03:00-16:00 D; 16:00-d4 00:00 OFF; 00:00-01:00 D',
    violations: ['CA_10H_OFF d3 00:00'],
  },
];
