import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'us-30min-01-20min-stop-does-not-count',
    log: 'd1 06:00-06:15 ON; 06:15-10:15 D; 10:15-10:35 ON; 10:35-14:45 D',
    asOf: 'd1 14:45',
    left: '170 / 315 / 0 / 3675',
    violations: ['US_30MIN d1 14:35'],
  },
  {
    title: 'us-30min-02-on-duty-fuel-stop-counts',
    log: 'd1 06:00-06:30 ON; 06:30-14:30 D; 14:30-15:00 ON; 15:00-16:00 D',
    asOf: 'd1 16:00',
    left: '120 / 240 / 420 / 3600',
  },
  {
    title: 'us-30min-03-15on-plus-15off-consecutive',
    log: 'd1 06:00-06:30 ON; 06:30-13:30 D; 13:30-13:45 ON; 13:45-14:00 OFF; 14:00-16:00 D',
    asOf: 'd1 16:00',
    left: '120 / 240 / 360 / 3615',
  },
  {
    title: 'us-30min-04-29min-not-enough',
    log: 'd1 06:00-06:30 ON; 06:30-13:30 D; 13:30-13:59 OFF; 13:59-15:29 D',
    asOf: 'd1 15:29',
    left: '150 / 271 / 0 / 3660',
    violations: ['US_30MIN d1 14:59'],
  },
  {
    title: 'us-ym-01-yard-move-is-on-duty-and-interrupts-driving',
    log: 'd1 06:00-14:00 D; 14:00-14:30 YM; 14:30-16:30 D',
    asOf: 'd1 16:30',
    left: '60 / 210 / 360 / 3570',
  },
  {
    title: 'us-pc-02-pc-satisfies-30min',
    log: 'd1 06:00-13:00 D; 13:00-13:30 PC; 13:30-15:30 D',
    asOf: 'd1 15:30',
    left: '120 / 270 / 360 / 3660',
  },
];
