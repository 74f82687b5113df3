import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'can-03-16h-elapsed',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 06:00-07:00 ON; 07:00-11:00 D; 11:00-15:00 OFF; 15:00-19:00 D; 19:00-21:30 OFF; 21:30-22:30 D',
    asOf: 'd1 22:30',
    left: '240 / 0 / - / 3600',
    onDutyLeft: 240,
    violations: ['CA_16H_ELAPSED d1 22:00'],
  },
];
