import type { Example } from '../../testing/example.ts';

const SEVENTY = [1, 2, 3, 4, 5]
  .map(day => `d${day} 06:00-11:00 D; 11:00-12:00 ON; 12:00-17:00 D; 17:00-20:00 ON; 20:00-d${day + 1} 06:00 OFF`)
  .join('; ');

export const examples: readonly Example[] = [
  {
    title: '24 hours off reset the cycle',
    ruleSet: 'US_OILFIELD_70_8',
    log: `${SEVENTY.replace(/; 20:00-d6 06:00 OFF$/, '')}; 20:00-d6 20:00 OFF`,
    left: '660 / 840 / 480 / 4200',
  },
  {
    title: 'not for other carriers',
    log: `${SEVENTY.replace(/; 20:00-d6 06:00 OFF$/, '')}; 20:00-d6 20:00 OFF`,
    left: '660 / 840 / 480 / 0',
  },
  {
    title: 'waiting at the well is excluded from the 14 hours',
    ruleSet: 'US_OILFIELD_WELL_70_8',
    log: 'd1 06:00-10:00 D; 10:00-15:00 OFF; 15:00-20:00 ON; 20:00-22:00 D',
    left: '300 / 180 / 360 / 3540',
    declared: ['wellSiteWaiting d1 10:00-15:00'],
  },
  {
    title: 'not for other drivers',
    ruleSet: 'US_OILFIELD_70_8',
    log: 'd1 06:00-10:00 D; 10:00-15:00 OFF; 15:00-20:00 ON; 20:00-22:00 D',
    left: '300 / 0 / 360 / 3540',
    declared: ['wellSiteWaiting d1 10:00-15:00'],
    violations: ['US_14H d1 20:00'],
  },
  {
    title: 'waiting declared without an end lasts until its rest is over',
    ruleSet: 'US_OILFIELD_WELL_70_8',
    log: 'd1 06:00-10:00 D; 10:00-12:00 OFF; 12:00-13:00 ON; 13:00-14:00 OFF; 14:00-15:00 D',
    left: '360 / 420 / 420 / 3840',
    declared: ['wellSiteWaiting d1 10:00'],
  },
];
