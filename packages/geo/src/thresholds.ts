import { fromKilometresPerHour, type MetresPerSecond } from '@milepost/units';

/** Thresholds between statuses. Each account may have its own; the legend shows them. */
export interface Thresholds {
  /** A vehicle at this speed or faster is moving. */
  readonly movingSpeed: MetresPerSecond;
  /** This many fast fixes in a row prove movement … */
  readonly movingFixes: number;
  /** … and so does a single one if the previous report is at least this old. */
  readonly movingAfterMs: number;
  /** Standing longer than this is idling with the ignition on, and a stop without any ignition signal. */
  readonly standingAfterMs: number;
  /** A moving or idling vehicle is outdated after this many of its usual intervals, but not before … */
  readonly outdatedIntervals: number;
  /** … this much silence. */
  readonly outdatedAfterMs: number;
  /** Any vehicle is offline after this long without a message. */
  readonly offlineAfterMs: number;
}

export const DEFAULT_THRESHOLDS: Thresholds = {
  movingSpeed: fromKilometresPerHour(5),
  movingFixes: 2,
  movingAfterMs: 20_000,
  standingAfterMs: 3 * 60_000,
  outdatedIntervals: 4,
  outdatedAfterMs: 10 * 60_000,
  offlineAfterMs: 24 * 3_600_000,
};

/** The default thresholds with an account's own age limits, in minutes. */
export const agedBy = (settings: {
  readonly offlineAfterMinutes: number;
  readonly outdatedAfterMinutes: number;
}): Thresholds => ({
  ...DEFAULT_THRESHOLDS,
  offlineAfterMs: settings.offlineAfterMinutes * 60_000,
  outdatedAfterMs: settings.outdatedAfterMinutes * 60_000,
});

/** How long a moving or idling vehicle can be silent before its last report counts as outdated. */
export function outdatedLimitMs(interval: number | null, thresholds: Thresholds): number {
  return Math.max(thresholds.outdatedIntervals * (interval ?? 0) * 1000, thresholds.outdatedAfterMs);
}

/** Compared in single precision, as speeds are stored, so that 5 km/h is still 5 km/h when read from the database. */
export const isMovingSpeed = (speed: MetresPerSecond, { movingSpeed }: Pick<Thresholds, 'movingSpeed'>): boolean =>
  Math.fround(speed) >= Math.fround(movingSpeed);
