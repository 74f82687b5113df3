import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'pax-06-sleeper-5-3',
    ruleSet: 'US_PASSENGER_70_8',
    log: 'd1 10:00-16:00 D; 16:00-21:00 SB; 21:00-d2 00:00 D; 00:00-03:00 SB; 03:00-09:00 D',
    asOf: 'd2 09:00',
    left: '60 / 360 / - / 3300',
  },
  {
    title: 'pax-08-off-duty-part-does-not-qualify',
    ruleSet: 'US_PASSENGER_70_8',
    log: 'd1 10:00-16:00 D; 16:00-21:00 OFF; 21:00-d2 00:00 D; 00:00-03:00 SB; 03:00-05:00 D',
    asOf: 'd2 05:00',
    left: '0 / 240 / - / 3540',
    violations: ['US_PAX_10H d2 04:00'],
  },
];
