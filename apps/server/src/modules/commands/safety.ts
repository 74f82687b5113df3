import type { Interlock } from '@milepost/contract';
import { interlock, type MotionState, type NewestFix } from '@milepost/geo';
import { type EpochMs, epochMs } from '@milepost/units';
import type { LiveStates } from '../../ingest/live.ts';
import type { StoredPosition } from '../../ingest/stored-position.ts';

/**
 * The interlock of a vehicle by what is committed of it, and believed: from `since` on all of its fixes came over the
 * connection that is to carry the command; null, not the newest. Synchronous: what it says holds in the
 * turn that asks.
 */
export function interlockOf(
  live: Pick<LiveStates, 'of'>,
  vehicleId: number,
  now: number,
  since: number | null = 0,
): Interlock {
  const state = live.of(vehicleId);
  const isBelieved = state?.newest != null && since !== null && state.newest.receivedAt >= since;
  const motion = state && isBelieved ? haltedSince(state.motion, since) : null;
  const newest = isBelieved ? newestFix(state?.newest ?? null) : null;
  const { holds, checks } = interlock(motion, newest, epochMs(now));
  return { holds, checkedAt: new Date(now).toISOString(), checks: [...checks] };
}

const haltedSince = (motion: MotionState, since: number): MotionState =>
  motion.halted === null ? motion : { ...motion, halted: epochMs(Math.max(motion.halted, since)) };

export const isFresh = ({ checks }: Interlock): boolean =>
  checks.some(({ check, holds }) => check === 'fresh' && holds);

function newestFix(newest: StoredPosition | null): NewestFix | null {
  if (newest === null) return null;
  const { fixAt, ignition, receivedAt, speed, valid } = newest;
  return { fixAt: fixAt as EpochMs, receivedAt, valid, speed, ignition, movement: movementIn(newest.attributes) };
}

/** Decoders call it `movement`; flags of some makers are numbers. */
function movementIn(attributes: StoredPosition['attributes']): boolean | null {
  const movement = attributes?.movement;
  return typeof movement === 'boolean' ? movement : typeof movement === 'number' ? movement !== 0 : null;
}
