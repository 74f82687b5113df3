import type { Example } from '../../testing/example.ts';

const DAYS = Array.from({ length: 13 }, (_, index) => index + 1)
  .map(day => `d${day} 08:00-12:00 D; 12:00-d${day + 1} 08:00 OFF`)
  .join('; ');

export const examples: readonly Example[] = [
  {
    title: 'driving on the fifteenth day without a day off',
    ruleSet: 'CA_SOUTH_CYCLE2_120_14',
    log: `${DAYS}; 08:00-12:00 D; 12:00-d15 07:00 OFF; 07:00-10:00 D`,
    violations: ['CA_24H_OFF_14D d15 08:00'],
  },
];
