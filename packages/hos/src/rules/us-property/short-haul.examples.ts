import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'us-shorthaul-01-no-break-needed',
    log: 'd1 06:00-15:00 D',
    asOf: 'd1 15:00',
    left: '120 / 300 / - / 3660',
    declared: ['shortHaul'],
  },
  {
    title: 'the eleven hours still apply',
    log: 'd1 06:00-17:30 D',
    left: '0 / 150 / - / 3510',
    declared: ['shortHaul'],
    violations: ['US_11H d1 17:00'],
  },
  {
    title: 'without a commercial license two days of seven may have 16 hours, a third may not',
    log: 'd1 06:00-10:00 D; 10:00-20:00 ON; 20:00-21:00 D; 21:00-d2 08:00 OFF; 08:00-12:00 D; 12:00-22:00 ON; 22:00-23:00 D; 23:00-d3 10:00 OFF; 10:00-14:00 D; 14:00-d4 00:00 ON; 00:00-01:00 D',
    left: '360 / 0 / - / 1500',
    declared: ['shortHaulNonCdl'],
    violations: ['US_14H d4 00:00'],
  },
];
