import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'fifteen hours of driving and sixteen on duty',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 06:00-19:30 D',
    left: '90 / 150 / - / 3390',
    onDutyLeft: 150,
    declared: ['adverseDriving d1 12:00-13:00'],
  },
  {
    title: 'the same without adverse conditions',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 06:00-19:30 D',
    left: '0 / 150 / - / 3390',
    onDutyLeft: 30,
    violations: ['CA_13H_DRIVE d1 19:00'],
  },
  {
    title: 'the sixteen elapsed hours stay the same',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 06:00-14:00 D; 14:00-16:00 OFF; 16:00-22:30 D',
    left: '30 / 0 / - / 3330',
    onDutyLeft: 90,
    declared: ['adverseDriving d1 12:00-13:00'],
    violations: ['CA_16H_ELAPSED d1 22:00'],
  },
  {
    title: 'eight hours off are enough that day',
    ruleSet: 'CA_SOUTH_CYCLE2_120_14',
    log: 'd1 00:00-06:00 OFF; 06:00-21:00 D; 21:00-d2 06:00 OFF',
    declared: ['adverseDriving d1 12:00-13:00'],
  },
  {
    title: 'but not on the next day',
    ruleSet: 'CA_SOUTH_CYCLE2_120_14',
    log: 'd1 06:00-20:00 D; 20:00-d2 06:00 OFF; 06:00-19:00 D; 19:00-21:00 ON; 21:00-d3 06:00 OFF',
    declared: ['adverseDriving d1 12:00'],
    violations: ['CA_10H_OFF d2 00:00'],
  },
];
