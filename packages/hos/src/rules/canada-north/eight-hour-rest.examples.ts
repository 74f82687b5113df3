import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'eight hours off begin a new shift',
    ruleSet: 'CA_NORTH_CYCLE1_80_7',
    log: 'd1 06:00-21:00 D; 21:00-d2 05:00 OFF',
    left: '900 / 1200 / - / 3900',
    onDutyLeft: 1080,
  },
  {
    title: 'a minute less does not',
    ruleSet: 'CA_NORTH_CYCLE1_80_7',
    log: 'd1 06:00-21:00 D; 21:00-d2 04:59 OFF',
    left: '0 / 0 / - / 3900',
    onDutyLeft: 180,
  },
  {
    title: 'no day asks for ten hours off',
    ruleSet: 'CA_NORTH_CYCLE1_80_7',
    log: 'd1 00:00-08:00 OFF; 08:00-23:00 D; 23:00-d2 07:00 OFF; 07:00-22:00 D; 22:00-d3 06:00 OFF',
    left: '900 / 1200 / - / 3000',
    onDutyLeft: 1080,
  },
];
