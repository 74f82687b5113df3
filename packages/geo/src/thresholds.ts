import { fromKilometresPerHour, type MetresPerSecond } from '@milepost/units';

/** What separates one status from the next. Each account may have its own; the legend shows them. */
export interface Thresholds {
  /** At this speed a vehicle moves. */
  readonly movingSpeed: MetresPerSecond;
  /** That many fast fixes in a row prove movement … */
  readonly movingFixes: number;
  /** … and so does a single one that stands for this long, because the report before it is that old. */
  readonly movingAfterMs: number;
  /** Standing longer than this with the ignition on is idling; without any ignition signal it is a stop. */
  readonly standingAfterMs: number;
  /** A moving or idling vehicle is outdated after so many of its usual intervals, but not before … */
  readonly outdatedIntervals: number;
  /** … this much silence. */
  readonly outdatedAfterMs: number;
  /** Silence after which any vehicle is offline. */
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

/** An account's own limits of age, in minutes; all else as everywhere. */
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

/** In single precision, as speeds are stored: 5 km/h is 5 km/h when it comes back from the database, too. */
export const isMovingSpeed = (speed: MetresPerSecond, { movingSpeed }: Pick<Thresholds, 'movingSpeed'>): boolean =>
  Math.fround(speed) >= Math.fround(movingSpeed);
