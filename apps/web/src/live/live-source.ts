import type { PositionReport, Vehicle } from '@milepost/contract';
import type { MessagingPhase } from './messaging/protocol.ts';
import type { LiveBatch } from './position-store.ts';
import type { PositionSink, PositionSource } from './source.ts';
import type { ListAge } from './vehicle-list.ts';

/** What the live source needs from the rest of the app. */
export interface LiveParts {
  readonly topics: {
    subscribe(imeis: readonly string[]): void;
    unsubscribe(imeis: readonly string[]): void;
    unsubscribeAll(): void;
    wake(): void;
  };
  readonly readVehicles: (age: ListAge) => Promise<readonly Vehicle[]>;
  readonly readLatest: () => Promise<readonly PositionReport[]>;
  /** Called with null when everything has been read, or with the error. */
  readonly report: (error: unknown) => void;
}

/** How long to wait for the subscriptions after reading the list. After that, the newest positions are read anyway. */
const SUBSCRIBED_WITHIN_MS = 1500;
/** How often to read positions from the server while live messaging isn't connected or reading failed. */
const ASK_AGAIN_MS = 15_000;
/** A list younger than this is recent enough to be combined with the newest positions. */
const FRESH_MS = 2000;

/**
 * Live positions: reads the list of vehicles, subscribes to their device topics, and reads the newest positions
 * whenever messages may have been missed: at the start, after every reconnection, and when a hidden tab is shown again.
 * It does so after subscribing, so that no message is missed in between. The store sorts out duplicates.
 */
export class LiveSource implements PositionSource {
  readonly #parts: LiveParts;
  #sink: PositionSink | null = null;
  #phase: MessagingPhase = 'idle';
  #wanted: ReadonlySet<string> = new Set();
  #listReadMs = Number.NEGATIVE_INFINITY;
  /** The list has changed since it was last requested. */
  #listChanged = false;
  /** Whether a catch-up is running, and whether another must follow. */
  #catchingUp = false;
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: LiveParts) {
    this.#parts = parts;
  }

  open(sink: PositionSink): () => void {
    this.#sink = sink;
    const onVisibility = (): void => {
      if (document.hidden) return;
      this.#parts.topics.wake();
      this.catchUp();
    };
    document.addEventListener('visibilitychange', onVisibility);
    void this.#start(sink);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      clearTimeout(this.#timer);
      this.#sink = null;
      this.#wanted = new Set();
      this.#listReadMs = Number.NEGATIVE_INFINITY;
      this.#parts.topics.unsubscribeAll();
    };
  }

  phase(phase: MessagingPhase): void {
    const wasConnected = this.#phase === 'connected';
    this.#phase = phase;
    if (wasConnected && phase !== 'connected') {
      this.#sink?.disconnected();
      this.#askAgainIn(ASK_AGAIN_MS);
    }
  }

  /** Called when the broker has confirmed the subscriptions. */
  subscribed(): void {
    this.catchUp();
  }

  batch(batch: LiveBatch): void {
    this.#sink?.batch(batch);
  }

  /** Reads everything again. Calls while a run is in progress cause one more run afterwards. */
  catchUp(): void {
    if (this.#sink) void this.#catchUp(this.#sink);
  }

  /** Takes the list that was loaded elsewhere. */
  known(list: readonly Vehicle[]): void {
    if (this.#sink) this.#take(this.#sink, list);
  }

  /** Called when so much has changed that the list must be read again, however recent it is. */
  vehiclesChanged(): void {
    this.#listChanged = true;
    this.catchUp();
  }

  async #start(sink: PositionSink): Promise<void> {
    try {
      await this.#readList(sink, 'kept');
      if (this.#sink === sink) this.#askAgainIn(SUBSCRIBED_WITHIN_MS);
    } catch (error) {
      this.#failed(sink, error);
    }
  }

  async #catchUp(sink: PositionSink): Promise<void> {
    if (this.#catchingUp) {
      this.#again = true;
      return;
    }
    this.#catchingUp = true;
    clearTimeout(this.#timer);
    try {
      const age = this.#listChanged ? 'changed' : 'newest';
      const isFresh = age === 'newest' && performance.now() - this.#listReadMs < FRESH_MS;
      this.#listChanged = false;
      const [reports] = await Promise.all([this.#parts.readLatest(), isFresh ? null : this.#readList(sink, age)]);
      if (this.#sink !== sink) return;
      sink.snapshot(reports);
      this.#parts.report(null);
      if (this.#phase !== 'connected') this.#askAgainIn(ASK_AGAIN_MS);
    } catch (error) {
      this.#failed(sink, error);
    } finally {
      this.#catchingUp = false;
      if (this.#again) {
        this.#again = false;
        this.catchUp();
      }
    }
  }

  async #readList(sink: PositionSink, age: ListAge): Promise<void> {
    const list = await this.#parts.readVehicles(age);
    if (this.#sink === sink) this.#take(sink, list);
  }

  #take(sink: PositionSink, list: readonly Vehicle[]): void {
    this.#listReadMs = performance.now();
    sink.vehicles(list);
    const wanted = new Set(list.map(({ imei }) => imei));
    const before = this.#wanted;
    this.#parts.topics.unsubscribe([...before].filter(imei => !wanted.has(imei)));
    this.#parts.topics.subscribe([...wanted].filter(imei => !before.has(imei)));
    this.#wanted = wanted;
  }

  #failed(sink: PositionSink, error: unknown): void {
    if (this.#sink !== sink) return;
    this.#parts.report(error);
    this.#askAgainIn(ASK_AGAIN_MS);
  }

  #askAgainIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.catchUp(), ms);
  }
}
