/**
 * Event types and codes, record statuses and origins (49 CFR 395 Subpart B, Appendix A, 7.20, 7.22, 7.23, 7.25; tables
 * 6, 8 and 9). An event's code names the state that begins with the event.
 */

/** Event type 1: a change of duty status. */
export const DUTY_CODES = { OFF: 1, SB: 2, D: 3, ON: 4 } as const;
export type DutyState = keyof typeof DUTY_CODES;
export const DUTY_STATES = ['OFF', 'SB', 'D', 'ON'] as const satisfies readonly DutyState[];

/** Event type 2: an intermediate log, with normal or reduced location precision. */
export const INTERMEDIATE_CODES = { normal: 1, reduced: 2 } as const;

/** Event type 3: the driver indicates personal use of the vehicle or a yard move, or ends it. */
export const INDICATION_CODES = { none: 0, 'personal-use': 1, 'yard-move': 2 } as const;
export type Indication = keyof typeof INDICATION_CODES;

/** Event type 5. */
export const SESSION_CODES = { login: 1, logout: 2 } as const;

/** Event type 6; reduced location precision during personal use. */
export const ENGINE_CODES = {
  'power-up': 1,
  'power-up-reduced': 2,
  'shut-down': 3,
  'shut-down-reduced': 4,
} as const;

/** Event type 7. */
export const FAULT_EVENT_CODES = {
  'malfunction-logged': 1,
  'malfunction-cleared': 2,
  'diagnostic-logged': 3,
  'diagnostic-cleared': 4,
} as const;

/** Malfunctions (Appendix A table 4; 4.6.1). One indicator, visible to all who use the device. */
export const MALFUNCTIONS = {
  P: 'power compliance',
  E: 'engine synchronization',
  T: 'timing',
  L: 'positioning',
  R: 'data recording',
  S: 'data transfer',
  O: 'other',
} as const;
export type Malfunction = keyof typeof MALFUNCTIONS;

/** Data diagnostics (Appendix A table 4; 4.6.1). One indicator for each signed-in driver. */
export const DIAGNOSTICS = {
  '1': 'power',
  '2': 'engine synchronization',
  '3': 'missing required data elements',
  '4': 'data transfer',
  '5': 'unidentified driving records',
  '6': 'other',
} as const;
export type Diagnostic = `${keyof typeof DIAGNOSTICS}`;
export type FaultCode = Malfunction | Diagnostic;
export const isMalfunction = (code: FaultCode): code is Malfunction => Object.hasOwn(MALFUNCTIONS, code);

/** Event record status (7.23). A record never changes: later entries in the log decide its status. */
export const RECORD_STATUSES = {
  active: 1,
  'inactive-changed': 2,
  'change-requested': 3,
  'change-rejected': 4,
} as const;
export type RecordStatus = keyof typeof RECORD_STATUSES;

/** Event record origin (7.22): who created the record. */
export const RECORD_ORIGINS = { automatic: 1, driver: 2, 'other-user': 3, unidentified: 4 } as const;
export type RecordOrigin = keyof typeof RECORD_ORIGINS;

/** The codes of each type, shared by the strict reader and the event schemas. */
export const CODES_OF_TYPE: Readonly<Record<number, readonly number[]>> = {
  1: Object.values(DUTY_CODES),
  2: Object.values(INTERMEDIATE_CODES),
  3: Object.values(INDICATION_CODES),
  4: [1, 2, 3, 4, 5, 6, 7, 8, 9],
  5: Object.values(SESSION_CODES),
  6: Object.values(ENGINE_CODES),
  7: Object.values(FAULT_EVENT_CODES),
};

/** The highest certification code, for the ninth and every later certification (7.25). */
export const LAST_CERTIFICATION_CODE = 9;

/** The user name of the unidentified driver profile; it is part of the events' check values. */
export const UNIDENTIFIED_USER_NAME = 'unidentified';
