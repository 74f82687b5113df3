import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'us-10h-01-mixed-rest-resets',
    log: 'd1 06:00-06:30 ON; 06:30-11:30 D; 11:30-12:30 OFF; 12:30-17:30 D; 17:30-18:00 ON; 18:00-18:30 PC; 18:30-20:00 OFF; 20:00-d2 04:00 SB; 04:00-04:15 ON; 04:15-08:15 D',
    asOf: 'd2 08:15',
    left: '420 / 585 / 240 / 3285',
  },
  {
    title: 'us-10h-02-9h59-off-no-reset',
    log: 'd1 06:00-06:30 ON; 06:30-11:30 D; 11:30-12:30 OFF; 12:30-17:30 D; 17:30-18:00 ON; 18:00-18:30 PC; 18:30-d2 03:59 OFF; 03:59-04:14 ON; 04:14-05:14 D',
    asOf: 'd2 05:14',
    left: '0 / 0 / 420 / 3465',
    violations: ['US_14H d2 04:14'],
  },
  {
    title: 'us-pc-01-personal-conveyance-inside-10h',
    log: 'd1 06:00-06:30 ON; 06:30-11:30 D; 11:30-12:00 OFF; 12:00-18:00 D; 18:00-18:15 ON; 18:15-18:45 PC; 18:45-d2 04:15 OFF',
    asOf: 'd2 04:15',
    left: '660 / 840 / 480 / 3495',
  },
  {
    title: 'us-team-01-7sb-3passenger-reset',
    log: 'd1 05:00-10:00 D; 10:00-17:00 SB; 17:00-20:00 OFF',
    asOf: 'd1 20:00',
    left: '660 / 840 / 480 / 3900',
  },
  {
    title: 'us-team-02-4th-passenger-hour-is-on-duty',
    log: 'd1 05:00-10:00 D; 10:00-17:00 SB; 17:00-20:00 OFF; 20:00-21:00 ON',
    asOf: 'd1 21:00',
    left: '660 / 780 / 480 / 3840',
  },
  {
    title: 'us-dst-01-spring-11-wall-hours-is-10',
    log: 'd1 08:00-09:00 ON; 09:00-14:00 D; 14:00-15:00 OFF; 15:00-20:00 D; 20:00-d2 07:00 OFF',
    asOf: 'd2 07:00',
    left: '660 / 840 / 480 / 3540',
    d1: '2026-03-07',
  },
  {
    title: 'us-dst-02-spring-10-wall-hours-is-9',
    log: 'd1 08:00-09:00 ON; 09:00-14:00 D; 14:00-15:00 OFF; 15:00-20:00 D; 20:00-d2 06:00 OFF',
    asOf: 'd2 06:00',
    left: '60 / 0 / 480 / 3540',
    d1: '2026-03-07',
  },
  {
    title: 'us-dst-03-fall-9-wall-hours-is-10',
    log: 'd1 08:00-09:00 ON; 09:00-14:00 D; 14:00-15:00 OFF; 15:00-20:00 D; 20:00-d2 05:00 OFF',
    asOf: 'd2 05:00',
    left: '660 / 840 / 480 / 3540',
    d1: '2026-10-31',
  },
  {
    title: 'a minute of work interrupts it',
    log: 'd1 06:00-16:00 D; 16:00-21:00 OFF; 21:00-21:01 ON; 21:01-d2 02:00 SB',
    left: '60 / 0 / 480 / 3599',
    violations: ['US_30MIN d1 14:00'],
  },
];
