import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'can-02-14h-on-duty',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 06:00-10:00 ON; 10:00-15:00 D; 15:00-18:00 ON; 18:00-20:30 D',
    asOf: 'd1 20:30',
    left: '330 / 90 / - / 3330',
    onDutyLeft: 0,
    violations: ['CA_14H_ONDUTY d1 20:00'],
  },
];
