import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'seventeen hours of driving',
    ruleSet: 'CA_NORTH_CYCLE1_80_7',
    log: 'd1 06:00-22:30 D',
    left: '30 / 210 / - / 3810',
    onDutyLeft: 90,
    declared: ['adverseDriving d1 12:00-13:00'],
  },
  {
    title: 'on duty stays at eighteen hours',
    ruleSet: 'CA_NORTH_CYCLE1_80_7',
    log: 'd1 03:00-05:00 ON; 05:00-21:30 D',
    declared: ['adverseDriving d1 12:00-13:00'],
    violations: ['CA_18H_ONDUTY d1 21:00'],
  },
];
