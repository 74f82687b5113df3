import { addDays, dayOf, type RecordLog, shownSegments } from '@milepost/eld';
import { epochMs } from '@milepost/units';
import type { LogView } from './log-view.ts';

/**
 * Days before today whose certification the desk counts and asks for; the driver’s phone has all of them. A driver
 * submits a day’s record within 13 days (49 CFR 395.8(a)(2)).
 */
export const DAYS_TO_CERTIFY = 14;

/** What a log says of it, as plain data. */
export interface Certification {
  /** The day of the log’s first status, or null. */
  readonly firstDay: string | null;
  /** Those of the last days that are certified and did not change since. */
  readonly certified: ReadonlySet<string>;
}

export function certificationOf({ log, now, segments }: Pick<LogView, 'log' | 'now' | 'segments'>): Certification {
  const home = log.home();
  const [first] = segments;
  const certified = new Set<string>();
  const today = dayOf(epochMs(now), home);
  for (let date = addDays(today, -DAYS_TO_CERTIFY); date <= today; date = addDays(date, 1)) {
    if (log.day(date)?.changedSince === false) certified.add(date);
  }
  return { firstDay: first ? dayOf(epochMs(first.start), home) : null, certified };
}

/** The days before `today` that the driver has to certify, oldest first. */
export function uncertifiedDays({ firstDay, certified }: Certification, today: string): string[] {
  if (firstDay === null) return [];
  const oldest = addDays(today, -DAYS_TO_CERTIFY);
  const days: string[] = [];
  for (let date = firstDay > oldest ? firstDay : oldest; date < today; date = addDays(date, 1)) {
    if (!certified.has(date)) days.push(date);
  }
  return days;
}

/** The same of a log that was read at least so far back. */
export const daysToCertify = (log: RecordLog, now: number): string[] =>
  uncertifiedDays(
    certificationOf({ log, now, segments: shownSegments(log.records(), now) }),
    dayOf(epochMs(now), log.home()),
  );
