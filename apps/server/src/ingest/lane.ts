import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { LiveStates } from '../fleet/live.ts';
import { advance, isNewer, type ReceivedMessage } from '../fleet/vehicle-state.ts';
import type { PartitionManager } from '../tracks/partitions.ts';
import type { PrivatePosition } from '../tracks/private.ts';
import type { ReceivedPosition } from '../tracks/stored-position.ts';
import type { BatchWriter, Written } from './batch-writer.ts';
import type { Change, IngestVehicle } from './change.ts';
import { Checkpoints } from './checkpoints.ts';
import { troubleOf } from './database-trouble.ts';
import type { IngestMetrics } from './metrics.ts';
import type { Owners } from './owners.ts';
import type { MessageTrace } from './traces.ts';
import type { OwnedPosition } from './written-columns.ts';

/** A message waiting for its commit. */
export interface Waiting extends ReceivedMessage {
  readonly vehicle: IngestVehicle;
  /** Of private time: stored with the others, and seen by nobody. */
  readonly hidden: readonly ReceivedPosition[];
  /** Arrival time, by the monotonic clock. */
  readonly since: number;
  /** Null if it is not traced. */
  readonly trace: MessageTrace | null;
  resolve(): void;
  reject(error: Error): void;
}

/** These positions won't be stored and must not be acknowledged. */
export class NotStored extends Error {
  override readonly name = 'NotStored';
}

interface Advanced {
  readonly rows: readonly OwnedPosition[];
  readonly changes: readonly Change[];
}

interface Refusal {
  readonly error: unknown;
  readonly removedVehicle: boolean;
}

const GONE: Refusal = { error: null, removedVehicle: true };

export interface LaneParts {
  readonly log: Logger;
  readonly live: LiveStates;
  readonly partitions: PartitionManager;
  readonly metrics: IngestMetrics;
  readonly writer: BatchWriter;
  readonly owners: Owners;
  /** These vehicles were another node's until now: their states are read. */
  readonly tookOver: (vehicleIds: readonly number[]) => Promise<void>;
  /** Called after each commit; `since` is when its oldest message arrived. Resolves when browsers have been told. */
  readonly publish: (changes: readonly Change[], since: number) => Promise<void>;
  /** This many positions no longer wait. */
  readonly left: (positions: number) => void;
}

/** Enough to keep the cost of a commit small, few enough that the first doesn't wait long. */
const MAX_BATCH_POSITIONS = 4000;
/** A busy lane gathers this long or this many: ten small commits cost more than a large one. A quiet one never waits. */
const MIN_CYCLE_MS = 8;
const ENOUGH_MESSAGES = 250;
/** A commit that takes longer is reported in `/health`. */
const SILENT_SECONDS = 10;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1000;

/** Messages on their way into the database, in order and in batches: everything waiting forms the next batch. */
export class Lane {
  readonly #parts: LaneParts;
  readonly #checkpoints = new Checkpoints();
  readonly #removed = new Set<number>();
  #waiting: Waiting[] = [];
  #underWay: readonly Waiting[] = [];
  #running: Promise<void> | null = null;
  #storing: Promise<void> = Promise.resolve();
  #stopping = false;
  #trouble: string | null = null;
  /** Since when it has waited for the database; null if it isn't waiting. */
  #waitingSince: number | null = null;

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  /** Why this lane is stuck, as a sentence; null if it isn't. */
  get trouble(): string | null {
    if (this.#trouble !== null || this.#waitingSince === null) return this.#trouble;
    const seconds = Math.round((performance.now() - this.#waitingSince) / 1000);
    return seconds < SILENT_SECONDS ? null : `The database has not answered for ${seconds} seconds. Positions wait.`;
  }

  add(message: Waiting): void {
    this.#waiting.push(message);
    this.#running ??= this.#run();
  }

  isWaiting(vehicleId: number): boolean {
    const isOf = ({ vehicle }: Waiting): boolean => vehicle.id === vehicleId;
    return this.#waiting.some(isOf) || this.#underWay.some(isOf);
  }

  /** Stores nothing of this vehicle from now on; resolves when writes under way have ended. */
  async remove(vehicleId: number): Promise<void> {
    this.#removed.add(vehicleId);
    this.#checkpoints.forget(vehicleId);
    await this.#storing;
  }

  /** Keeps writing what waits for `timeoutMs`, then gives up. */
  async stop(timeoutMs: number): Promise<void> {
    await Promise.race([this.#running, sleep(timeoutMs, undefined, { ref: false })]);
    this.#stopping = true;
    await this.#running;
    // Spares the next start the replay; not essential, and not if another node may have taken a vehicle over.
    if (this.#parts.owners.isShared) return;
    await this.#parts.writer.write([], this.#checkpoints.all()).catch(() => {});
  }

  async #run(): Promise<void> {
    // Whatever the other sockets hold right now belongs to the same batch.
    await afterReading();
    while (this.#waiting.length > 0) {
      const began = performance.now();
      this.#underWay = this.#take();
      for (const { trace } of this.#underWay) trace?.step('wait');
      this.#storing = this.#store(this.#underWay);
      await this.#storing;
      this.#underWay = [];
      const early = MIN_CYCLE_MS - (performance.now() - began);
      if (early > 1 && this.#waiting.length < ENOUGH_MESSAGES) await sleep(early);
    }
    this.#running = null;
  }

  #take(): Waiting[] {
    let count = 0;
    for (let positions = 0; count < this.#waiting.length && positions < MAX_BATCH_POSITIONS; count++) {
      positions += this.#waiting[count]?.positions.length ?? 0;
    }
    const taken = this.#waiting.splice(0, count);
    if (this.#removed.size === 0) return taken;
    const isGone = ({ vehicle }: Waiting): boolean => this.#removed.has(vehicle.id);
    for (const message of taken.filter(isGone)) this.#refuse(message, GONE);
    return taken.filter(message => !isGone(message));
  }

  /** Until all is committed, or refused message by message. One bad message must not hold up the others: halve. */
  async #store(messages: readonly Waiting[]): Promise<void> {
    if (messages.length === 0) return;
    const refusal = await this.#commit(messages);
    if (refusal === null) return;
    if (messages.length === 1) {
      for (const message of messages) this.#refuse(message, refusal);
      return;
    }
    const middle = messages.length >> 1;
    await this.#store(messages.slice(0, middle));
    await this.#store(messages.slice(middle));
  }

  /** Null when committed, else why these messages can't be. While it is the database's fault, it tries again. */
  async #commit(messages: readonly Waiting[]): Promise<Refusal | null> {
    const { owners, partitions, tookOver, writer } = this.#parts;
    const vehicleIds = messages.map(({ vehicle }) => vehicle.id);
    for (let delayMs = FIRST_RETRY_MS, isRepeated = false; ; isRepeated = true) {
      try {
        const fence = await owners.own(vehicleIds, tookOver);
        const advanced = this.#advance(messages);
        if (advanced instanceof Error) return { error: advanced, removedVehicle: false };
        const { rows, changes } = advanced;
        await partitions.cover(rows);
        const states = this.#checkpoints.due(changes, performance.now());
        this.#waitingSince = performance.now();
        const written = await writer.write(rows, states, { isRepeated, fence });
        await writer.writeHidden(hiddenOf(messages));
        this.#waitingSince = null;
        this.#trouble = null;
        this.#checkpoints.committed(changes, states, performance.now());
        this.#committed(messages, rows, changes, written);
        return null;
      } catch (error) {
        owners.lookAgain();
        this.#waitingSince = null;
        const trouble = troubleOf(error);
        if (trouble.kind === 'data') return { error, removedVehicle: trouble.removedVehicle };
        if (this.#stopping) return { error: new NotStored('The server is stopping'), removedVehicle: false };
        if (trouble.kind === 'database') this.#stand(trouble.sentence, error);
        await sleep(delayMs);
        delayMs = Math.min(delayMs * 2, LAST_RETRY_MS);
      }
    }
  }

  #stand(sentence: string, error: unknown): void {
    if (sentence !== this.#trouble) this.#parts.log.error({ err: error }, sentence);
    this.#trouble = sentence;
  }

  /** From the committed states, so that a batch which fails leaves no trace. */
  #advance(messages: readonly Waiting[]): Advanced | Error {
    const rows: OwnedPosition[] = [];
    const changes = new Map<number, Change>();
    try {
      for (const message of messages) {
        const { vehicle } = message;
        const change = changes.get(vehicle.id);
        const before = change ? change.before : this.#parts.live.of(vehicle.id);
        const after = advance(change ? change.after : before, message, (position, isNew) => {
          rows.push({ vehicle, position, isNew });
        });
        const positions = message.positions.length + (change?.positions ?? 0);
        changes.set(vehicle.id, { vehicle, before, after, positions });
      }
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
    return { rows, changes: [...changes.values()] };
  }

  #committed(
    messages: readonly Waiting[],
    rows: readonly OwnedPosition[],
    changes: readonly Change[],
    written: Written,
  ): void {
    const { left, live, log, metrics, publish } = this.#parts;
    for (const { vehicle, before, after } of changes) {
      const now = live.of(vehicle.id);
      // Another node may have taken it over since the commit, and told what it has stored.
      if (now === before || isNewer(after, now)) live.set(vehicle.accountId, vehicle.id, after);
    }
    for (const message of messages) message.resolve();
    left(rows.length);
    const traces = messages.flatMap(({ trace }) => trace ?? []);
    for (const trace of traces) trace.step('commit', { 'milepost.batch.positions': rows.length });

    const since = messages[0]?.since ?? performance.now();
    metrics.committed.inc(written.inserted + messages.reduce((sum, { hidden }) => sum + hidden.length, 0));
    metrics.duplicate.inc(rows.length - written.inserted);
    metrics.late.inc(written.late);
    metrics.doubted.inc(rows.reduce((count, { position }) => (position.doubts === 0 ? count : count + 1), 0));
    metrics.batchRows.observe(rows.length);
    metrics.commitLatency.observe((performance.now() - since) / 1000);
    // After the acknowledgements, which wait in the microtask queue.
    setImmediate(() => {
      try {
        const published = publish(changes, since);
        if (traces.length === 0) return;
        void published.then(() => {
          for (const trace of traces) {
            trace.step('publish');
            trace.end();
          }
        });
      } catch (error) {
        log.error({ err: error }, 'Could not publish live positions');
      }
    });
  }

  #refuse(message: Waiting, { error, removedVehicle }: Refusal): void {
    const { left, log, metrics } = this.#parts;
    const { vehicle, positions } = message;
    const reason = removedVehicle ? 'removed-vehicle' : 'not-storable';
    metrics.rejected.inc({ reason }, positions.length);
    if (removedVehicle) log.info({ imei: vehicle.imei }, 'A vehicle was deleted while its positions were waiting');
    else log.error({ err: error, imei: vehicle.imei, positions }, 'These positions can’t be stored');
    left(positions.length);
    message.trace?.end(reason);
    message.reject(error instanceof NotStored ? error : new NotStored(reason, { cause: error }));
  }
}

const hiddenOf = (messages: readonly Waiting[]): PrivatePosition[] =>
  messages.flatMap(({ hidden, vehicle }) =>
    hidden.map(position => ({ vehicleId: vehicle.id, accountId: vehicle.accountId, position })),
  );
