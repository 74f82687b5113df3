import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'driving after the eighteenth hour on duty',
    ruleSet: 'CA_NORTH_CYCLE1_80_7',
    log: 'd1 04:00-16:00 ON; 16:00-21:00 D; 21:00-22:00 ON; 22:00-23:00 D',
    left: '540 / 60 / - / 3660',
    onDutyLeft: 0,
    violations: ['CA_18H_ONDUTY d1 22:00'],
  },
];
