import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'can-01-13h-driving',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 06:00-06:30 ON; 06:30-12:30 D; 12:30-13:30 OFF; 13:30-20:30 D',
    asOf: 'd1 20:30',
    left: '0 / 90 / - / 3390',
    onDutyLeft: 30,
  },
  {
    title: 'can-07-shift-crosses-midnight-day-resets-but-shift-does-not',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 14:00-15:00 ON; 15:00-20:00 D; 20:00-21:00 OFF; 21:00-d2 05:30 D',
    asOf: 'd2 05:30',
    left: '0 / 30 / - / 3330',
    onDutyLeft: 0,
    violations: ['CA_13H_DRIVE d2 05:00', 'CA_14H_ONDUTY d2 05:00'],
  },
  {
    title: 'two shifts in one day share its thirteen hours',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 00:00-07:00 D; 07:00-15:00 OFF; 15:00-22:00 D',
    left: '0 / 540 / - / 3360',
    onDutyLeft: 0,
    violations: ['CA_13H_DRIVE d1 21:00'],
  },
];
