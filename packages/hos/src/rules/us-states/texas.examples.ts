import type { Example } from '../../testing/example.ts';

export const examples: readonly Example[] = [
  {
    title: 'tex-01-12h-driving-15h-on-duty',
    ruleSet: 'US_TEXAS_INTRASTATE_70_7',
    log: 'd1 06:00-07:00 ON; 07:00-13:00 D; 13:00-15:00 ON; 15:00-21:00 D',
    asOf: 'd1 21:00',
    left: '0 / 0 / - / 3300',
  },
  {
    title: 'two sleeper-berth periods make eight hours',
    ruleSet: 'US_TEXAS_INTRASTATE_70_7',
    log: 'd1 06:00-14:00 D; 14:00-17:00 SB; 17:00-21:00 D; 21:00-d2 02:00 SB; 02:00-04:00 D',
    left: '360 / 540 / - / 3360',
  },
  {
    title: 'off duty cannot be a half',
    ruleSet: 'US_TEXAS_INTRASTATE_70_7',
    log: 'd1 06:00-14:00 D; 14:00-17:00 OFF; 17:00-21:00 D; 21:00-d2 02:00 SB; 02:00-04:00 D',
    left: '0 / 60 / - / 3360',
    violations: ['TEX_12H d2 02:00'],
  },
];
