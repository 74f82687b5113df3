import type { PositionMessage } from '@milepost/decoders';
import { type EpochMs, metres } from '@milepost/units';
import type { DeviceConnection } from './gateways/device-connections.ts';

type Fix = Pick<PositionMessage, 'time' | 'lat' | 'lon' | 'speed'>;

interface Run {
  readonly via: DeviceConnection | null;
  readonly since: EpochMs;
  readonly last: Fix;
}

/** Two fixes that are further apart in time say nothing about each other. */
const COMPARABLE_MS = 300_000;
const MOVING = 3;
const FASTEST = 70;
const ROOM = metres(500);
const METRES_A_DEGREE = 111_000;

/**
 * Which connection the fixes of a vehicle come over, and since when all of them have. The interlock believes the
 * connection that will carry the command, and nobody else.
 */
export class Witness {
  readonly #runs = new Map<number, Run>();

  /** False when this contradicts what another connection has just said. */
  heard(vehicleId: number, via: DeviceConnection | null, fixes: readonly Fix[], receivedAt: EpochMs): boolean {
    const last = fixes.at(-1);
    if (!last) return true;
    const run = this.#runs.get(vehicleId);
    const same = run && via !== null && run.via === via ? run : null;
    this.#runs.set(vehicleId, { via, since: same?.since ?? receivedAt, last });
    return same !== null || !run || !contradict(run.last, last);
  }

  /** Null when the newest fix did not come over it. */
  since(connection: DeviceConnection): EpochMs | null {
    const run = this.#runs.get(connection.vehicleId);
    return run?.via === connection ? run.since : null;
  }

  forget(vehicleId: number): void {
    this.#runs.delete(vehicleId);
  }
}

function contradict(one: Fix, other: Fix): boolean {
  const seconds = Math.abs(other.time - one.time) / 1000;
  if (seconds * 1000 > COMPARABLE_MS) return false;
  const [slow, fast] = [one.speed ?? 0, other.speed ?? 0].toSorted((a, b) => a - b);
  if (one.speed !== null && other.speed !== null && slow === 0 && (fast ?? 0) >= MOVING && seconds < 60) return true;
  const north = (other.lat - one.lat) * METRES_A_DEGREE;
  const east = (other.lon - one.lon) * METRES_A_DEGREE * Math.cos((one.lat * Math.PI) / 180);
  return Math.hypot(north, east) > ROOM + FASTEST * seconds;
}
