import { type EpochMs, epochMs, fromMilesPerHour, type MetresPerSecond } from '@milepost/units';

/** Is the vehicle in motion, in the words of Appendix A, 4.3.1.2? Not the motion that maps show. */
export interface VehicleMotion {
  readonly moving: boolean;
  /** Since when the speed is zero; null while it is not. */
  readonly zeroSince: EpochMs | null;
}

/** In motion from this speed on; the rule lets nobody set it higher. */
export const MOTION_SPEED = fromMilesPerHour(5);
/** Stopped after so long at zero. */
export const STOP_MS = 3000;

export const AT_REST: VehicleMotion = { moving: false, zeroSince: null };

export function withSpeed(motion: VehicleMotion, at: EpochMs, speed: MetresPerSecond): VehicleMotion {
  const zeroSince = speed > 0 ? null : (motion.zeroSince ?? at);
  const moving = speed >= MOTION_SPEED || (motion.moving && !hasStopped(zeroSince, at));
  return { moving, zeroSince };
}

/** The same as time goes by without another speed: the last one is what is known. */
export const atTime = (motion: VehicleMotion, at: EpochMs): VehicleMotion =>
  motion.moving && hasStopped(motion.zeroSince, at) ? { ...motion, moving: false } : motion;

/** When it will count as stopped if nothing else is heard; null when it has, or when it moves. */
export const stopsAt = ({ moving, zeroSince }: VehicleMotion): EpochMs | null =>
  moving && zeroSince !== null ? epochMs(zeroSince + STOP_MS) : null;

const hasStopped = (zeroSince: EpochMs | null, at: EpochMs): boolean => zeroSince !== null && at - zeroSince >= STOP_MS;
