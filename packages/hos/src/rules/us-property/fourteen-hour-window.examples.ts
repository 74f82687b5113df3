import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'us-14h-01-guide-window',
    log: 'd1 06:00-07:00 ON; 07:00-11:00 D; 11:00-12:00 OFF; 12:00-16:00 D; 16:00-20:00 ON; 20:00-20:30 D',
    asOf: 'd1 20:30',
    left: '150 / 0 / 450 / 3390',
    violations: ['US_14H d1 20:00'],
  },
  {
    title: 'us-14h-02-guide-completed-grid',
    log: 'd1 06:00-07:30 ON; 07:30-09:00 D; 09:00-09:30 ON; 09:30-12:00 D; 12:00-13:00 OFF; 13:00-15:00 D; 15:00-15:30 ON; 15:30-16:00 D; 16:00-17:45 SB; 17:45-19:00 D; 19:00-21:00 ON',
    asOf: 'd1 21:00',
    left: '195 / 0 / 480 / 3465',
  },
];
