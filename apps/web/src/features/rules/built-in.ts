import { ALERT_KINDS, type AlertKind } from '@milepost/contract';

/** What Milepost watches without a rule: an account can choose who is alerted, but can't turn it off. */
export type BuiltInKind = Exclude<AlertKind, 'rule'>;
export const BUILT_IN = ALERT_KINDS.filter((kind): kind is BuiltInKind => kind !== 'rule');

export const isBuiltIn = (id: string | null): id is BuiltInKind => BUILT_IN.some(kind => kind === id);

/** Alerts that Milepost detects itself; trackers report the others. */
export const FOUND_HERE = {
  silent: true,
  conflictingReports: true,
  commandFailed: true,
  secondPerson: true,
  restricted: true,
  taskLate: true,
} as const satisfies Partial<Record<BuiltInKind, true>>;
