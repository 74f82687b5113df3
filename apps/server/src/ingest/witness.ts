import type { PositionMessage } from '@milepost/decoders';
import { type EpochMs, epochMs, metres } from '@milepost/units';
import type { DeviceConnection } from './gateways/device-connections.ts';

type Fix = Pick<PositionMessage, 'time' | 'lat' | 'lon' | 'speed' | 'valid'>;

/** Two reports of a vehicle that can't both be true. */
export interface Contradiction {
  /** Whether both came over the same connection. */
  readonly by: 'connection' | 'itself';
  /** In m/s, of the first and of the second. */
  readonly speeds: readonly [number | null, number | null];
  readonly metres: number;
}

/** Where reports come from: a connection, or an address if there is no way back. */
type Source = DeviceConnection | string | null;

/** Another node's connections. */
const ELSEWHERE = 'elsewhere';

interface Run {
  readonly source: Source;
  readonly since: EpochMs;
  /** The newest fix with a place. */
  readonly last: Fix | null;
  /** The source that reported before this one. */
  readonly before: Source;
  /** When it last did. */
  readonly heardAt: EpochMs;
}

/** Two fixes further apart than this say nothing about each other. */
const COMPARABLE_MS = 300_000;
const ALTERNATING_MS = 60_000;
const MOVING = 3;
const FASTEST = 70;
const ROOM = metres(500);
const METRES_A_DEGREE = 111_000;
/** No vehicle changes its speed by more per second. */
const HARDEST = 12;
/** Refused reports are one warning until none came for this long. */
const WARNING_LASTS_MS = 600_000;

/**
 * Which connection the fixes of a vehicle come over, and since when all of them have. The interlock believes the
 * connection that will carry the command, and nobody else.
 */
export class Witness {
  readonly #runs = new Map<number, Run>();
  /** When a report was last refused, by vehicle. */
  readonly #warned = new Map<number, number>();

  /** Returns what it contradicts; null if it fits. */
  heard(vehicleId: number, source: Source, fixes: readonly Fix[], receivedAt: EpochMs): Contradiction | null {
    if (fixes.length === 0) return null;
    const run = this.#runs.get(vehicleId);
    const isSame = run !== undefined && source !== null && run.source === source;
    const last = fixes.findLast(({ valid }) => valid) ?? null;
    const by = isSame ? 'itself' : 'connection';
    const alternate = run !== undefined && !isSame && run.before === source;
    const found = run?.last && last ? contradiction(run.last, last, by, alternate) : null;
    this.#runs.set(vehicleId, {
      source,
      since: isSame && !found ? run.since : receivedAt,
      last: last ?? run?.last ?? null,
      before: isSame ? run.before : (run?.source ?? null),
      heardAt: receivedAt,
    });
    return found;
  }

  /**
   * Something was refused: the connection that is believed says once more that the vehicle stands. Anyone who goes on
   * holds nothing up any longer.
   */
  warned(vehicleId: number, now: number): void {
    const before = this.#warned.get(vehicleId);
    this.#warned.set(vehicleId, now);
    const run = this.#runs.get(vehicleId);
    if (run && (before === undefined || now - before >= WARNING_LASTS_MS)) {
      this.#runs.set(vehicleId, { ...run, since: epochMs(now) });
    }
  }

  /** Null if the newest fix came over another connection. */
  since(connection: DeviceConnection): EpochMs | null {
    const run = this.#runs.get(connection.vehicleId);
    return run?.source === connection ? run.since : null;
  }

  /** The newest fix that another node has stored of a vehicle that this one knows. Its reports are judged there. */
  heardElsewhere(vehicleId: number, fix: Fix, receivedAt: EpochMs): Contradiction | null {
    const run = this.#runs.get(vehicleId);
    if (!run) return null;
    if (run.source !== ELSEWHERE) return this.heard(vehicleId, ELSEWHERE, [fix], receivedAt);
    this.#runs.set(vehicleId, { ...run, last: fix.valid ? fix : run.last, heardAt: receivedAt });
    return null;
  }

  /** Another node has stored something of this vehicle since: nobody here is believed before the next report. */
  heardLastElsewhere(vehicleId: number): void {
    const run = this.#runs.get(vehicleId);
    if (run) this.#runs.set(vehicleId, { ...run, source: ELSEWHERE, before: run.source });
  }

  /** Someone reported to another node before what was heard here last. */
  reportedElsewhere(vehicleId: number): void {
    const run = this.#runs.get(vehicleId);
    if (run) this.#runs.set(vehicleId, { ...run, since: run.heardAt });
  }

  forget(vehicleId: number): void {
    this.#runs.delete(vehicleId);
    this.#warned.delete(vehicleId);
  }
}

/**
 * `alternate`: both connections are there, and take turns. Then one that stands and one that moves are two vehicles; else
 * it may have set off while its tracker dialed in again.
 */
function contradiction(one: Fix, other: Fix, by: Contradiction['by'], alternate: boolean): Contradiction | null {
  const ms = Math.abs(other.time - one.time);
  if (ms > COMPARABLE_MS) return null;
  const north = (other.lat - one.lat) * METRES_A_DEGREE;
  const east = (other.lon - one.lon) * METRES_A_DEGREE * Math.cos((one.lat * Math.PI) / 180);
  const apart = Math.hypot(north, east);
  const seconds = ms / 1000;
  const isImpossible = apart > ROOM + FASTEST * seconds || changeOf(one, other) > MOVING + HARDEST * (seconds + 1);
  if (
    !isImpossible &&
    !(alternate && ms < ALTERNATING_MS && stands(one) !== stands(other) && changeOf(one, other) >= MOVING)
  ) {
    return null;
  }
  return { by, speeds: [one.speed, other.speed], metres: apart };
}

const stands = ({ speed }: Fix): boolean => speed === 0;
const changeOf = (one: Fix, other: Fix): number =>
  one.speed === null || other.speed === null ? 0 : Math.abs(one.speed - other.speed);
