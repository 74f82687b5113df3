import type { LogDay } from '@milepost/contract';

/** What matters most about a day, the most serious first. */
export type DayState = 'violation' | 'proposed' | 'errors' | 'uncertified' | 'today' | 'certified';

type Judged = Pick<LogDay, 'violations' | 'proposals' | 'formErrors' | 'certification'>;

/** A certified day counts as certified only until something in it is changed. */
const isCertified = ({ certification }: Pick<LogDay, 'certification'>): boolean =>
  certification.count > 0 && !certification.changedSince;

export function stateOfDay(day: Judged, isToday: boolean): DayState {
  if (day.violations.length > 0) return 'violation';
  if (day.proposals > 0) return 'proposed';
  if (day.formErrors.length > 0) return 'errors';
  if (isCertified(day)) return 'certified';
  return isToday ? 'today' : 'uncertified';
}

/** For the strip of days, where violations are shown elsewhere. */
export function signingOfDay(day: Judged, isToday: boolean): DayState {
  if (day.proposals > 0) return 'proposed';
  if (isCertified(day)) return 'certified';
  return isToday ? 'today' : 'uncertified';
}
