import type { Example } from '../../testing/example.ts';

/** Sixteen hours on duty on each of five days. */
const EIGHTY = [1, 2, 3, 4, 5]
  .map(day => `d${day} 05:00-08:00 ON; 08:00-20:00 D; 20:00-21:00 ON`)
  .map((day, index) => (index === 4 ? day : `${day}; 21:00-d${index + 2} 05:00 OFF`))
  .join('; ');
const FOUR_HOURS_A_DAY = Array.from({ length: 14 }, (_, index) => index + 1)
  .map(day => `d${day} 08:00-12:00 D; 12:00-d${day + 1} 08:00 OFF`)
  .join('; ');

export const examples: readonly Example[] = [
  {
    title: 'driving after 80 hours in 7 days',
    ruleSet: 'CA_NORTH_CYCLE1_80_7',
    log: `${EIGHTY}; 21:00-d6 05:00 OFF; 05:00-06:00 D`,
    left: '840 / 1140 / - / 0',
    onDutyLeft: 1020,
    violations: ['CA_80H_7D d6 05:00'],
  },
  {
    title: '36 hours reset cycle 1',
    ruleSet: 'CA_NORTH_CYCLE1_80_7',
    log: `${EIGHTY}; 21:00-d7 09:00 OFF`,
    left: '900 / 1200 / - / 4800',
    onDutyLeft: 1080,
  },
  {
    title: 'but not cycle 2',
    ruleSet: 'CA_NORTH_CYCLE2_120_14',
    log: `${EIGHTY}; 21:00-d7 09:00 OFF`,
    left: '900 / 1200 / - / 2400',
    onDutyLeft: 1080,
  },
  {
    title: '72 hours reset cycle 2',
    ruleSet: 'CA_NORTH_CYCLE2_120_14',
    log: `${EIGHTY}; 21:00-d8 21:00 OFF`,
    left: '900 / 1200 / - / 7200',
    onDutyLeft: 1080,
  },
  {
    title: 'cycle 2 requires a day off before more than 80 hours',
    ruleSet: 'CA_NORTH_CYCLE2_120_14',
    log: `${EIGHTY}; 21:00-d6 05:00 OFF; 05:00-06:00 D`,
    left: '840 / 1140 / - / 2340',
    onDutyLeft: 1020,
    violations: ['CA_24H_OFF_80H d6 05:00'],
  },
  {
    title: 'driving on the fifteenth day without a day off',
    ruleSet: 'CA_NORTH_CYCLE2_120_14',
    log: `${FOUR_HOURS_A_DAY}; 08:00-09:00 D`,
    violations: ['CA_24H_OFF_14D d15 08:00'],
  },
];
