import type { PositionReport, Vehicle } from '@milepost/contract';
import type { MessagingPhase } from './messaging/protocol.ts';
import type { LiveBatch } from './position-store.ts';
import type { PositionSink, PositionSource } from './source.ts';

/** What the live source needs of the rest of the app. */
export interface LiveParts {
  readonly topics: {
    subscribe(imeis: readonly string[]): void;
    unsubscribe(imeis: readonly string[]): void;
    unsubscribeAll(): void;
    wake(): void;
  };
  readonly readVehicles: () => Promise<readonly Vehicle[]>;
  readonly readLatest: () => Promise<readonly PositionReport[]>;
  /** All was read (null), or could not be, and why. */
  readonly report: (error: unknown) => void;
}

/** How long to wait for subscriptions after the list before fetching the newest positions anyway. */
const SUBSCRIBED_WITHIN_MS = 1500;
/** While live messaging is not connected, or reading failed, the server is asked instead this often. */
const ASK_AGAIN_MS = 15_000;
/** A list just read is good enough to go with the newest positions. */
const FRESH_MS = 2000;

/**
 * Positions as they happen: the list of vehicles, their device topics, and a catch-up from the server whenever messages
 * may have been missed: at the start, after every reconnection, and when a hidden tab is seen again. The catch-up is
 * asked for after the subscriptions stand, so that it leaves no hole; what overlaps, the store sorts out.
 */
export class LiveSource implements PositionSource {
  readonly #parts: LiveParts;
  #sink: PositionSink | null = null;
  #phase: MessagingPhase = 'idle';
  #wanted: ReadonlySet<string> = new Set();
  #listReadMs = Number.NEGATIVE_INFINITY;
  /** The list has changed since it was last requested. */
  #listChanged = false;
  /** The catch-up under way, and whether another one is due after it. */
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

  /** The broker has confirmed the subscriptions. */
  subscribed(): void {
    this.catchUp();
  }

  batch(batch: LiveBatch): void {
    this.#sink?.batch(batch);
  }

  /** Refetches everything; requests in the meantime cause one more run afterwards. */
  catchUp(): void {
    if (this.#sink) void this.#catchUp(this.#sink);
  }

  /** The list as loaded elsewhere. */
  known(list: readonly Vehicle[]): void {
    if (this.#sink) this.#take(this.#sink, list);
  }

  /** Too much has changed: refetches the list, however fresh it is. */
  vehiclesChanged(): void {
    this.#listChanged = true;
    this.catchUp();
  }

  async #start(sink: PositionSink): Promise<void> {
    try {
      await this.#readList(sink);
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
      const isFresh = !this.#listChanged && performance.now() - this.#listReadMs < FRESH_MS;
      this.#listChanged = false;
      const [reports] = await Promise.all([this.#parts.readLatest(), isFresh ? null : this.#readList(sink)]);
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

  async #readList(sink: PositionSink): Promise<void> {
    const list = await this.#parts.readVehicles();
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
