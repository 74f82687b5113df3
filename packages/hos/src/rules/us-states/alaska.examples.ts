import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'ak-01-15h-driving',
    ruleSet: 'US_ALASKA_PROPERTY_80_8',
    log: 'd1 06:00-07:00 ON; 07:00-22:00 D',
    asOf: 'd1 22:00',
    left: '0 / 240 / - / 3840',
  },
  {
    title: 'no driving after 20 hours on duty',
    ruleSet: 'US_ALASKA_PROPERTY_70_7',
    log: 'd1 00:00-19:00 ON; 19:00-21:00 D',
    left: '780 / 0 / - / 2940',
    violations: ['AK_20H d1 20:00'],
  },
  {
    title: 'more than 15 hours of driving',
    ruleSet: 'US_ALASKA_PROPERTY_80_8',
    log: 'd1 06:00-22:00 D',
    left: '0 / 240 / - / 3840',
    violations: ['AK_15H d1 21:00'],
  },
  {
    title: 'adverse conditions: as long as it takes',
    ruleSet: 'US_ALASKA_PROPERTY_80_8',
    log: 'd1 00:00-22:00 D',
    declared: ['adverseDriving'],
  },
  {
    title: 'seven hours of sleeper berth and three off restart the count',
    ruleSet: 'US_ALASKA_PROPERTY_80_8',
    log: 'd1 06:00-14:00 D; 14:00-21:00 SB; 21:00-d2 04:00 D; 04:00-07:00 OFF; 07:00-12:00 D',
    left: '180 / 480 / - / 3600',
  },
  {
    title: 'thirty-four hours off restart the cycle',
    ruleSet: 'US_ALASKA_PROPERTY_70_7',
    log: 'd1 06:00-20:00 ON; 20:00-d3 06:00 OFF',
    left: '900 / 1200 / - / 4200',
  },
];
