import type { Example } from '../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'no limit applies while it lasts, but its hours count',
    log: 'd1 06:00-20:00 D',
    declared: ['emergencyRelief'],
    left: '0 / 0 / 0 / 3360',
  },
  {
    title: 'once it is over, driving needs the full rest',
    log: 'd1 06:00-20:00 D; 20:00-21:00 D',
    declared: ['emergencyRelief d1 06:00-20:00'],
    left: '0 / 0 / 0 / 3300',
    violations: ['US_11H d1 20:00', 'US_14H d1 20:00', 'US_30MIN d1 20:00'],
  },
  {
    title: 'ten hours off bring the shift back, the cycle keeps the hours',
    log: 'd1 06:00-20:00 D; 20:00-d2 06:00 OFF',
    declared: ['emergencyRelief d1 06:00-20:00'],
    left: '660 / 840 / 480 / 3360',
  },
  {
    title: 'passenger carriers are relieved too',
    ruleSet: 'US_PASSENGER_70_8',
    log: 'd1 06:00-18:00 D',
    declared: ['emergencyRelief d1 06:00'],
    left: '0 / 180 / - / 3480',
  },
];
