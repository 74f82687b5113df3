import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'two sleeper-berth periods of ten hours together restart the count',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 06:00-12:00 D; 12:00-17:00 SB; 17:00-23:00 D; 23:00-d2 04:00 SB; 04:00-06:00 D',
    left: '300 / 480 / - / 3360',
    onDutyLeft: 360,
  },
  {
    title: 'nine hours together are not enough',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 06:00-12:00 D; 12:00-16:00 SB; 16:00-22:00 D; 22:00-d2 03:00 SB; 03:00-05:00 D',
    left: '0 / 0 / - / 3360',
    onDutyLeft: 0,
    violations: ['CA_16H_ELAPSED d2 03:00', 'CA_13H_DRIVE d2 04:00'],
  },
];
