/** Duty statuses of 49 CFR 395.8(b), and the two special driving categories of 395.28 within off duty and on duty. */
export const DUTY_STATUSES = ['OFF', 'SB', 'D', 'ON', 'PC', 'YM'] as const;
export type DutyStatus = (typeof DUTY_STATUSES)[number];

/** How the clocks treat a status. Rest is off duty; work is on duty without driving. */
export type Activity = 'rest' | 'drive' | 'work';

/**
 * Personal conveyance is off duty (guidance on 395.8, 83 FR 26377); a yard move is on duty and not driving (395.2,
 * Appendix A 4.4.1.1(b)).
 */
export const ACTIVITY_OF: Readonly<Record<DutyStatus, Activity>> = {
  OFF: 'rest',
  SB: 'rest',
  PC: 'rest',
  D: 'drive',
  ON: 'work',
  YM: 'work',
};

export const isDutyStatus = (value: unknown): value is DutyStatus => DUTY_STATUSES.some(status => status === value);
