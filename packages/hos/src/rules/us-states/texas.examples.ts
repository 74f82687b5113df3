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
  {
    title: 'adverse conditions: fourteen hours of driving, fifteen on duty',
    ruleSet: 'US_TEXAS_INTRASTATE_70_7',
    log: 'd1 06:00-08:00 ON; 08:00-21:30 D',
    left: '30 / 0 / - / 3270',
    declared: ['adverseDriving d1 12:00-13:00'],
    violations: ['TEX_15H d1 21:00'],
  },
  {
    title: 'agriculture in season: no limit, and its hours count afterward',
    ruleSet: 'US_TEXAS_INTRASTATE_70_7',
    log: 'd1 06:00-20:00 D; 20:00-21:00 D',
    left: '0 / 0 / - / 3300',
    declared: ['agriculture d1 06:00-20:00'],
    violations: ['TEX_12H d1 20:00'],
  },
  {
    title: 'emergency relief likewise',
    ruleSet: 'US_TEXAS_INTRASTATE_70_7',
    log: 'd1 06:00-d2 00:00 D; 00:00-08:00 OFF',
    left: '720 / 900 / - / 3120',
    declared: ['emergencyRelief d1 06:00'],
  },
];
