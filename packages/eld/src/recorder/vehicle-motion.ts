import { type EpochMs, epochMs, fromMilesPerHour, type MetresPerSecond } from '@milepost/units';

/** Whether the vehicle is in motion as defined in Appendix A, 4.3.1.2; not the motion that maps show. */
export interface VehicleMotion {
  readonly moving: boolean;
  /** When the speed became zero; null while it is not. */
  readonly zeroSince: EpochMs | null;
}

/** In motion at this speed and above; the rule does not allow a higher setting. */
const MOTION_SPEED = fromMilesPerHour(5);
/** Stopped after this long at zero speed. */
export const STOP_MS = 3000;

export const AT_REST: VehicleMotion = { moving: false, zeroSince: null };

export function withSpeed(motion: VehicleMotion, at: EpochMs, speed: MetresPerSecond): VehicleMotion {
  const zeroSince = speed > 0 ? null : (motion.zeroSince ?? at);
  const moving = speed >= MOTION_SPEED || (motion.moving && !hasStopped(zeroSince, at));
  return { moving, zeroSince };
}

/** The state after time passes without a new speed: the last known speed still applies. */
export const atTime = (motion: VehicleMotion, at: EpochMs): VehicleMotion =>
  motion.moving && hasStopped(motion.zeroSince, at) ? { ...motion, moving: false } : motion;

/** When the vehicle will count as stopped if no new speed comes; null if it already has stopped, or is moving. */
export const stopsAt = ({ moving, zeroSince }: VehicleMotion): EpochMs | null =>
  moving && zeroSince !== null ? epochMs(zeroSince + STOP_MS) : null;

const hasStopped = (zeroSince: EpochMs | null, at: EpochMs): boolean => zeroSince !== null && at - zeroSince >= STOP_MS;
