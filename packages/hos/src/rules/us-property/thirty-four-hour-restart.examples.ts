import type { Example } from '../../testing/example.ts';

/** Fourteen hours on duty on each of five days. */
const SEVENTY = [1, 2, 3, 4, 5]
  .map(day => `d${day} 06:00-08:00 ON; 08:00-13:00 D; 13:00-13:30 ON; 13:30-19:00 D; 19:00-20:00 ON`)
  .map((day, index) => (index === 4 ? day : `${day}; 20:00-d${index + 2} 06:00 OFF`))
  .join('; ');

export const examples: readonly Example[] = [
  { title: 'us-cycle-01: 70 hours are used up', log: SEVENTY, left: '30 / 0 / 480 / 0' },
  {
    title: 'us-cycle-02: 34 hours off reset the cycle',
    log: `${SEVENTY}; 20:00-d7 06:00 OFF`,
    left: '660 / 840 / 480 / 4200',
  },
  { title: 'us-cycle-03: a minute less does not', log: `${SEVENTY}; 20:00-d7 05:59 OFF`, left: '660 / 840 / 480 / 0' },
  {
    title: 'personal conveyance does not interrupt it',
    log: `${SEVENTY}; 20:00-d6 10:00 OFF; 10:00-11:00 PC; 11:00-d7 06:00 SB`,
    left: '660 / 840 / 480 / 4200',
  },
];
