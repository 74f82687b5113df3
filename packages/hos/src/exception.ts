import type { EpochMs } from '@milepost/units';

/**
 * What a driver or carrier declares about a time and a log alone cannot show. A declaration counts from its start to
 * the end of the work shift it touches; one without an end touches only the shift in which it starts, or the next one
 * when it starts in a full rest. A rule set that does not know it ignores it.
 *
 * - `adverseDriving`: 395.1(b)(1), conditions that nobody could know before the drive.
 * - `shortHaul`: 395.1(e)(1), within 150 air miles and released in time.
 * - `shortHaulNonCdl`: 395.1(e)(2), the same without a commercial licence: 16 hours on two days of any seven.
 * - `sixteenHourException`: 395.1(o), once between restarts or in seven days, returning to the normal reporting place.
 * - `wellSiteWaiting`: 395.1(d)(2), off-duty waiting at a well, outside the 14 hours.
 * - `deferral`: SOR/2005-313 s. 16; the declaration starts in day one.
 */
export const EXCEPTIONS = [
  'adverseDriving',
  'shortHaul',
  'shortHaulNonCdl',
  'sixteenHourException',
  'wellSiteWaiting',
  'deferral',
] as const;
export type Exception = (typeof EXCEPTIONS)[number];

/** Half-open: from `start` up to `end`; without an end it is over with its shift. */
export interface Declaration {
  readonly exception: Exception;
  readonly start: EpochMs;
  readonly end: EpochMs | null;
}

export const isException = (value: unknown): value is Exception => EXCEPTIONS.some(exception => exception === value);
