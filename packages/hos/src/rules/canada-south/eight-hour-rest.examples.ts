import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'eight hours off begin a new shift',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 08:00-21:00 D; 21:00-d2 05:00 OFF',
    left: '780 / 960 / - / 3420',
    onDutyLeft: 840,
  },
  {
    title: 'a minute less does not',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: 'd1 08:00-21:00 D; 21:00-d2 04:59 OFF',
    left: '0 / 0 / - / 3420',
    onDutyLeft: 60,
  },
];
