import type { TrackerProtocol } from '@milepost/contract';
import type { PositionMessage } from '@milepost/decoders';
import type { EpochMs } from '@milepost/units';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { LiveStates } from '../fleet/live.ts';
import type { PrivateTime } from '../fleet/private-time.ts';
import type { PartitionManager } from '../tracks/partitions.ts';
import type { ReceivedPosition } from '../tracks/stored-position.ts';
import { deletePositionsOfGone } from '../tracks/write.ts';
import { BatchWriter } from './batch-writer.ts';
import type { Change, IngestVehicle } from './change.ts';
import type { CommitHook } from './commit-hook.ts';
import { Lane, NotStored, type Waiting } from './lane.ts';
import type { IngestMetrics } from './metrics.ts';
import { OWNS_ALL, type Owners } from './owners.ts';
import { alarmOf } from './status-position.ts';
import { storable } from './storable.ts';
import type { Traces } from './traces.ts';

/** The one way into `position`: validate → batch → commit → (the caller acknowledges) → publish. */
export interface Pipeline {
  /**
   * Resolves once all positions are committed, and not before (invariant I1); the caller then acknowledges. Rejects
   * with `NotStored` when they never will be. While the database is away it waits, however long.
   */
  accept(
    vehicle: IngestVehicle,
    positions: readonly PositionMessage[],
    protocol: TrackerProtocol,
    receivedAt: EpochMs,
  ): Promise<void>;
  /** The tracker gave a sign of life. Nothing waits for it. */
  heard(vehicle: IngestVehicle, receivedAt: EpochMs): void;
  /** False while so much is uncommitted that callers should stop reading. */
  hasRoom(): boolean;
  /** Resolves when there is room again; look again then, for others wait too. */
  whenRoom(): Promise<void>;
  /** Something that this vehicle said is not committed yet. Looks through all that waits: not for the hot path. */
  isWaiting(vehicle: Pick<IngestVehicle, 'id'>): boolean;
  /** Why nothing is stored at the moment, for `/health`; null when all is well. */
  trouble(): string | null;
  /** The vehicle is removed: nothing of it is stored any more, and what came in between goes with it. */
  remove(vehicle: Pick<IngestVehicle, 'id' | 'accountId'>): Promise<void>;
  /** Commits what waits, for as long as `timeoutMs`; what is left is never acknowledged. */
  stop(timeoutMs: number): Promise<void>;
}

export interface PipelineParts {
  readonly pool: Pool;
  readonly log: Logger;
  readonly live: LiveStates;
  readonly partitions: PartitionManager;
  readonly metrics: IngestMetrics;
  readonly commitHook: CommitHook;
  /** Whose positions are hidden: they are stored apart, and nothing after the commit hears of them. */
  readonly privateTime: Pick<PrivateTime, 'hides' | 'isUsed'>;
  /**
   * Called after each commit, with what changed and when the oldest of its messages came in. Resolves when browsers
   * have been told.
   */
  readonly publish: (changes: readonly Change[], since: number) => Promise<void>;
  readonly traces: Traces;
  /** Where several nodes share the vehicles. */
  readonly sharing?: {
    readonly owners: Owners;
    readonly tookOver: (vehicleIds: readonly number[]) => Promise<void>;
  };
}

const NOT_SHARED = { owners: OWNS_ALL, tookOver: async () => {} };

/**
 * A vehicle's messages all go through one lane, which keeps their order; two lanes let the database work on one batch
 * while the next is made. Measured: a third brings nothing on two cores.
 */
const LANES = 2;
const MAX_WAITING_POSITIONS = 20_000;
/** A sign of life counts for this long. */
const HEARD_EVERY_MS = 30_000;

export function createPipeline(parts: PipelineParts): Pipeline {
  const { commitHook, live, metrics, pool, privateTime, traces } = parts;
  const newLane = (): Lane =>
    new Lane({ ...parts, ...(parts.sharing ?? NOT_SHARED), writer: new BatchWriter(pool, commitHook), left });
  const lanes = Array.from({ length: LANES }, newLane);
  const laneOf = (vehicle: Pick<IngestVehicle, 'id'>): Lane => lanes[vehicle.id % LANES] as Lane;
  const signsOfLife = new Set<number>();
  let waiting = 0;
  let roomSeekers: (() => void)[] = [];
  let stopping = false;

  function left(positions: number): void {
    waiting -= positions;
    metrics.queued.set(waiting);
    if (roomSeekers.length === 0 || !hasRoom()) return;
    const woken = roomSeekers;
    roomSeekers = [];
    for (const wake of woken) wake();
  }
  const hasRoom = (): boolean => waiting < MAX_WAITING_POSITIONS;

  const enqueue = (message: Omit<Waiting, 'resolve' | 'reject' | 'since'>): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting += message.positions.length;
    metrics.queued.set(waiting);
    laneOf(message.vehicle).add({ ...message, since: performance.now(), resolve, reject });
    return promise;
  };

  return {
    accept: (vehicle, positions, protocol, receivedAt) => {
      if (stopping) return Promise.reject(new NotStored('The server is stopping'));
      if (positions.length === 0) return Promise.resolve();
      metrics.received.inc({ protocol }, positions.length);
      const stored: ReceivedPosition[] = [];
      for (const position of positions) {
        const made = storable(position, protocol, receivedAt);
        if (made === null) {
          metrics.rejected.inc({ reason: 'no-time' }, positions.length);
          return Promise.reject(new NotStored('A position has no time'));
        }
        stored.push(made);
      }
      const trace = traces.begin(protocol, positions.length, receivedAt);
      trace?.step('decode');
      if (!privateTime.isUsed(vehicle.accountId))
        return enqueue({ vehicle, receivedAt, positions: stored, hidden: [], trace });
      const hidden = stored.filter(({ fixAt, rfid }) => privateTime.hides(vehicle, fixAt, rfid));
      const state = live.of(vehicle.id);
      const shown = stored.flatMap(position => (hidden.includes(position) ? alarmOf(position, state) : [position]));
      return enqueue({ vehicle, receivedAt, positions: shown, hidden, trace });
    },
    heard: (vehicle, receivedAt) => {
      const state = live.of(vehicle.id);
      const isWritten = state !== null && receivedAt < state.heardAt + HEARD_EVERY_MS;
      if (stopping || isWritten || signsOfLife.has(vehicle.id)) return;
      signsOfLife.add(vehicle.id);
      enqueue({ vehicle, receivedAt, positions: [], hidden: [], trace: null })
        .catch(() => {})
        .finally(() => signsOfLife.delete(vehicle.id));
    },
    hasRoom,
    whenRoom: () => {
      if (hasRoom()) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      roomSeekers.push(resolve);
      return promise;
    },
    isWaiting: vehicle => laneOf(vehicle).isWaiting(vehicle.id),
    remove: async vehicle => {
      await laneOf(vehicle).remove(vehicle.id);
      live.delete(vehicle.accountId, vehicle.id);
      await deletePositionsOfGone(parts.pool, vehicle.id);
    },
    trouble: () => lanes.map(lane => lane.trouble).find(trouble => trouble !== null) ?? null,
    stop: async timeoutMs => {
      stopping = true;
      await Promise.all(lanes.map(lane => lane.stop(timeoutMs)));
    },
  };
}
