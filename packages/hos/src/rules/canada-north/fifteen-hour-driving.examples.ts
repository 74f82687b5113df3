import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'fifteen hours of driving, then none',
    ruleSet: 'CA_NORTH_CYCLE1_80_7',
    log: 'd1 06:00-22:00 D',
    left: '0 / 240 / - / 3840',
    onDutyLeft: 120,
    violations: ['CA_15H_DRIVE d1 21:00'],
  },
  {
    title: 'two shifts in one day have fifteen hours each',
    ruleSet: 'CA_NORTH_CYCLE1_80_7',
    log: 'd1 00:00-07:00 D; 07:00-15:00 OFF; 15:00-24:00 D',
  },
];
