import type { EpochMs } from '@milepost/units';

/**
 * What a driver or carrier declares about a period, because the log alone cannot show it. A declaration counts from its
 * start to the end of the work shift it touches; one without an end applies only to the shift in which it starts, or to
 * the next one if it starts in a full rest. Rule sets without the exception ignore it.
 *
 * - `adverseDriving`: 395.1(b)(1), conditions that could not be known before the drive.
 * - `shortHaul`: 395.1(e)(1), within 150 air miles and released in time.
 * - `shortHaulNonCdl`: 395.1(e)(2), the same without a commercial license: 16 hours on two days of any seven.
 * - `sixteenHourException`: 395.1(o), once between restarts or in seven days, returning to the normal reporting
 *   place.
 * - `wellSiteWaiting`: 395.1(d)(2), off-duty waiting at a well, outside the 14 hours.
 * - `deferral`: SOR/2005-313 s. 16; the declaration starts in day one.
 *
 * Exemptions set the rules aside, and only while they last: from the start exactly up to the end.
 *
 * - `agriculture`: 395.1(k), within 150 air miles of the source in the State's planting and harvesting periods.
 * - `emergencyRelief`: 390.23 and 390.25, direct assistance in a declared emergency.
 */
export const EXCEPTIONS = [
  'adverseDriving',
  'shortHaul',
  'shortHaulNonCdl',
  'sixteenHourException',
  'wellSiteWaiting',
  'deferral',
  'agriculture',
  'emergencyRelief',
] as const;
export type Exception = (typeof EXCEPTIONS)[number];

/** Exceptions under which no limit applies. Where two are in force, the first one counts. */
export const EXEMPTIONS = ['agriculture', 'emergencyRelief'] as const satisfies readonly Exception[];
export type ExemptionName = (typeof EXEMPTIONS)[number];

/** Half-open: from `start` up to `end`; null for a declaration that ends with its shift. */
export interface Declaration {
  readonly exception: Exception;
  readonly start: EpochMs;
  readonly end: EpochMs | null;
}

export const isExemption = (value: unknown): value is ExemptionName => EXEMPTIONS.some(name => name === value);

export const isException = (value: unknown): value is Exception => EXCEPTIONS.some(exception => exception === value);
