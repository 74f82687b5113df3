import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'two sleeper-berth periods of eight hours together restart the count at the end of the first',
    ruleSet: 'CA_NORTH_CYCLE1_80_7',
    log: 'd1 06:00-12:00 D; 12:00-16:00 SB; 16:00-22:00 D; 22:00-d2 02:00 SB; 02:00-04:00 D',
    left: '420 / 600 / - / 3960',
    onDutyLeft: 600,
  },
  {
    title: 'seven hours together are not enough',
    ruleSet: 'CA_NORTH_CYCLE1_80_7',
    log: 'd1 06:00-12:00 D; 12:00-15:00 SB; 15:00-22:00 D; 22:00-d2 02:00 SB; 02:00-04:00 D',
    left: '0 / 0 / - / 3900',
    onDutyLeft: 180,
    violations: ['CA_20H_ELAPSED d2 02:00'],
  },
  {
    title: 'off duty outside the berth counts toward the eighteen hours',
    ruleSet: 'CA_NORTH_CYCLE1_80_7',
    log: 'd1 06:00-10:00 D; 10:00-14:00 SB; 14:00-19:00 D; 19:00-d2 02:00 OFF; 02:00-05:00 D; 05:00-09:00 SB',
    violations: ['CA_18H_SPLIT d2 04:00'],
  },
];
