import { type EpochMs, epochMs, type MetresPerSecond } from '@milepost/units';
import type { MotionState } from './motion.ts';

/** The newest fix, as far as safety needs it. */
export interface NewestFix {
  readonly fixAt: EpochMs;
  readonly receivedAt: EpochMs;
  readonly valid: boolean;
  readonly speed: MetresPerSecond | null;
  readonly ignition: boolean | null;
  /** Whether the tracker's accelerometer senses movement; null if it has none, or does not report it. */
  readonly movement: boolean | null;
}

export const INTERLOCK_CHECKS = ['standing', 'ignition', 'fresh', 'still'] as const;

export interface InterlockCheck {
  readonly check: (typeof INTERLOCK_CHECKS)[number];
  readonly holds: boolean;
  /** m/s for `standing`, seconds parked for `ignition`, age of the fix in seconds for `fresh`; null: unknown. */
  readonly measured: number | null;
  /** The limit that `measured` is compared with, in the same unit; null if there is none. */
  readonly limit: number | null;
  /** Only for `ignition` and `still`. */
  readonly on: boolean | null;
}

export interface InterlockState {
  readonly holds: boolean;
  /**
   * When it will pass if the vehicle stays parked and keeps reporting; null: it passes now, or something other than
   * time must change.
   */
  readonly possibleAt: EpochMs | null;
  readonly checks: readonly InterlockCheck[];
}

/** With its ignition on, a vehicle counts as parked after this many seconds. */
const PARKED_AFTER_S = 60;
/** A fix is fresh for two of the tracker's intervals, but … */
const FRESH_INTERVALS = 2;
/** … at least this long, because a report takes a moment, … */
const FRESH_AT_LEAST_S = 60;
/** … and at most this long: within five minutes anyone can be on the road again. */
const FRESH_AT_MOST_S = 300;

/**
 * Whether a vehicle is safely stopped, so its engine may be cut. All of these must pass, judged by its newest fix
 * alone:
 *
 * - `standing`: the position is reliable and the speed is 0;
 * - `ignition`: it is off, or every fix of the last 60 s has a speed of 0;
 * - `fresh`: the fix is no older than two intervals of the tracker, by its clock and by the server's;
 * - `still`: the tracker does not sense movement.
 *
 * Unknown values fail, except movement, which few trackers report. The ignition of an earlier fix does not count.
 */
export function interlock(motion: MotionState | null, newest: NewestFix | null, now: EpochMs): InterlockState {
  // If the newest fix is unreliable, an older one proves nothing.
  const fix = motion?.gpsValid && newest?.valid && newest.fixAt === motion.fixAt ? newest : null;
  const parkedS = motion?.halted == null || fix === null ? null : (fix.fixAt - motion.halted) / 1000;
  const ageS = newest === null ? null : Math.max(now - newest.fixAt, now - newest.receivedAt) / 1000;
  const freshS = Math.min(Math.max(FRESH_INTERVALS * (motion?.interval ?? 0), FRESH_AT_LEAST_S), FRESH_AT_MOST_S);
  const checks: InterlockCheck[] = [
    {
      check: 'standing',
      holds: fix?.speed === 0 && motion?.halted != null,
      measured: fix?.speed ?? null,
      limit: 0,
      on: null,
    },
    {
      check: 'ignition',
      holds: fix !== null && (fix.ignition === false || (parkedS !== null && parkedS >= PARKED_AFTER_S)),
      measured: parkedS,
      limit: PARKED_AFTER_S,
      on: fix?.ignition ?? null,
    },
    {
      check: 'fresh',
      holds: fix !== null && ageS !== null && ageS <= freshS,
      measured: ageS === null ? null : Math.max(0, ageS),
      limit: freshS,
      on: null,
    },
    { check: 'still', holds: fix?.movement !== true, measured: null, limit: null, on: fix?.movement ?? null },
  ];
  const waitsForTime = checks.every(({ check, holds }) => holds !== (check === 'ignition'));
  const possibleAt = waitsForTime && motion?.halted != null ? epochMs(motion.halted + PARKED_AFTER_S * 1000) : null;
  return { holds: checks.every(({ holds }) => holds), possibleAt, checks };
}
