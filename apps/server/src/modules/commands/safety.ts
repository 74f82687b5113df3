import type { Interlock } from '@milepost/contract';
import { interlock, type MotionState, type NewestFix } from '@milepost/geo';
import { type EpochMs, epochMs } from '@milepost/units';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { LiveStates } from '../../fleet/live.ts';
import type { DeviceConnection, DeviceConnections } from '../../ingest/gateways/device-connections.ts';
import type { StoredPosition } from '../../tracks/stored-position.ts';

export interface SafetyParts {
  readonly live: Pick<LiveStates, 'of'>;
  readonly connections: Pick<DeviceConnections, 'find'>;
  /** Since when all that the vehicle said came over this connection; null when the newest fix did not. */
  readonly believedSince: (connection: DeviceConnection) => number | null;
  readonly now: () => number;
}

/**
 * The interlock of a vehicle by what is committed of it, and believed: from its beginning on the connection that is to
 * carry the command has brought all of its fixes. Nothing is believed where the newest came from elsewhere. While there is
 * no connection nothing can be sent, and the reason is reported. Synchronous: its answer is valid for the current tick.
 */
export function interlockOf(parts: SafetyParts, vehicle: Pick<DirectoryEntry, 'id' | 'imei'>): Measured {
  const { believedSince, connections, live, now } = parts;
  const connection = connections.find(vehicle.imei);
  const since = connection?.vehicleId === vehicle.id ? believedSince(connection) : 0;
  const state = live.of(vehicle.id);
  const isBelieved = state?.newest != null && since !== null && state.newest.receivedAt >= since;
  const motion = state && isBelieved ? haltedSince(state.motion, since) : null;
  const newest = isBelieved ? newestFix(state?.newest ?? null) : null;
  const at = now();
  const { checks, holds, possibleAt } = interlock(motion, newest, epochMs(at));
  return { interlock: { holds, checkedAt: new Date(at).toISOString(), checks: [...checks] }, possibleAt };
}

interface Measured {
  readonly interlock: Interlock;
  /** When it will hold if the vehicle stays as it is; null: nobody can say. */
  readonly possibleAt: number | null;
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
