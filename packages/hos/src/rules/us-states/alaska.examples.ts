import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    says: 'ak-01-15h-driving',
    ruleSet: 'US_ALASKA_PROPERTY_80_8',
    log: 'd1 06:00-07:00 ON; 07:00-22:00 D',
    asOf: 'd1 22:00',
    left: '0 / 240 / - / 3840',
  },
  {
    says: 'no driving after 20 hours on duty',
    ruleSet: 'US_ALASKA_PROPERTY_70_7',
    log: 'd1 00:00-19:00 ON; 19:00-21:00 D',
    left: '780 / 0 / - / 2940',
    violations: ['AK_20H d1 20:00'],
  },
  {
    says: 'more than 15 hours of driving',
    ruleSet: 'US_ALASKA_PROPERTY_80_8',
    log: 'd1 06:00-22:00 D',
    left: '0 / 240 / - / 3840',
    violations: ['AK_15H d1 21:00'],
  },
  {
    says: 'adverse conditions: the time it takes',
    ruleSet: 'US_ALASKA_PROPERTY_80_8',
    log: 'd1 00:00-22:00 D',
    declared: ['adverseDriving'],
  },
];
