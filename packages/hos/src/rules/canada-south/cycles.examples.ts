import type { Example } from '../../testing/example.ts';

/** Fourteen hours on duty on each of five days. */
const SEVENTY = [1, 2, 3, 4, 5]
  .map(day => `d${day} 06:00-08:00 ON; 08:00-13:00 D; 13:00-13:30 ON; 13:30-19:00 D; 19:00-20:00 ON`)
  .map((day, index) => (index === 4 ? day : `${day}; 20:00-d${index + 2} 06:00 OFF`))
  .join('; ');

export const examples: readonly Example[] = [
  {
    title: 'can-04: 34 hours do not reset cycle 1',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: `${SEVENTY}; 20:00-d7 06:00 OFF`,
    left: '780 / 960 / - / 0',
    onDutyLeft: 840,
  },
  {
    title: 'can-05: 36 hours do',
    ruleSet: 'CA_SOUTH_CYCLE1_70_7',
    log: `${SEVENTY}; 20:00-d7 08:00 OFF`,
    left: '780 / 960 / - / 4200',
    onDutyLeft: 840,
  },
  {
    title: 'can-06: but not cycle 2',
    ruleSet: 'CA_SOUTH_CYCLE2_120_14',
    log: `${SEVENTY}; 20:00-d7 08:00 OFF`,
    left: '780 / 960 / - / 3000',
    onDutyLeft: 840,
  },
  {
    title: '72 hours reset cycle 2',
    ruleSet: 'CA_SOUTH_CYCLE2_120_14',
    log: `${SEVENTY}; 20:00-d8 20:00 OFF`,
    left: '780 / 960 / - / 7200',
    onDutyLeft: 840,
  },
  {
    title: 'cycle 2 requires a day off before more than 70 hours',
    ruleSet: 'CA_SOUTH_CYCLE2_120_14',
    log: `${SEVENTY}; 20:00-d6 06:00 OFF; 06:00-07:00 D`,
    left: '720 / 900 / - / 2940',
    onDutyLeft: 780,
    violations: ['CA_24H_OFF_70H d6 06:00'],
  },
];
