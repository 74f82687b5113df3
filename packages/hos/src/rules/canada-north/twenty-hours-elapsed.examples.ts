import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'time off duty does not stop the twenty hours',
    ruleSet: 'CA_NORTH_CYCLE1_80_7',
    log: 'd1 02:00-08:00 D; 08:00-14:00 OFF; 14:00-18:00 D; 18:00-21:30 OFF; 21:30-22:30 D',
    left: '240 / 0 / - / 4140',
    onDutyLeft: 420,
    violations: ['CA_20H_ELAPSED d1 22:00'],
  },
];
