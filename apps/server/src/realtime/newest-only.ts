import type { Writable } from 'node:stream';

/** With more than this unsent on a connection, its reader counts as slow. */
const SLOW_ABOVE_BYTES = 256 * 1024;
/** A reader that reads nothing for this long is disconnected. */
const DEAD_AFTER_MS = 60_000;

/**
 * What one subscriber still has to hear. While it reads, everything goes out at once; while it is slow, only the newest
 * packet of each key is kept, so that it catches up with one value a vehicle and not with a queue (invariant I9). Memory
 * is bounded by the number of its topics.
 */
export class NewestOnly {
  readonly #stream: Writable;
  readonly #onDropped: (packets: number) => void;
  readonly #waiting = new Map<string, Buffer>();
  #deadTimer: NodeJS.Timeout | null = null;

  constructor(stream: Writable, onDropped: (packets: number) => void) {
    this.#stream = stream;
    this.#onDropped = onDropped;
  }

  /** Waits for `flush`. */
  offer(key: string, packet: Buffer): void {
    // Removed first, so that the map stays in order of time.
    if (this.#waiting.delete(key)) this.#onDropped(1);
    this.#waiting.set(key, packet);
  }

  /** Writes what waits in one piece, or arranges that it is written as soon as the stream has room. */
  flush(): void {
    if (this.#waiting.size === 0 || this.#deadTimer) return;
    if (this.#stream.destroyed) {
      this.#waiting.clear();
      return;
    }
    if (this.#stream.writableLength > SLOW_ABOVE_BYTES) {
      this.#deadTimer = setTimeout(() => this.#stream.destroy(), DEAD_AFTER_MS);
      this.#stream.once('drain', () => {
        this.stop();
        this.flush();
      });
      return;
    }
    const packets = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#stream.write(packets.length === 1 ? packets[0] : Buffer.concat(packets));
  }

  stop(): void {
    if (this.#deadTimer) clearTimeout(this.#deadTimer);
    this.#deadTimer = null;
  }
}
