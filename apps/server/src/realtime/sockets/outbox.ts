import type { Socket } from 'socket.io';

/**
 * What a socket still has to hear. While it reads, everything goes out at once; while it is slow, only the newest state
 * of each alert, command or task is kept (invariant I9). A reader that takes nothing answers no ping either, and is cut.
 */
export class Outbox {
  readonly #socket: Socket;
  readonly #waiting = new Map<string, readonly [event: string, payload: () => unknown]>();

  constructor(socket: Socket) {
    this.#socket = socket;
    const { transport } = socket.conn;
    const flush = (): void => this.#flush();
    transport.on('ready', flush);
    socket.once('disconnect', () => {
      transport.off('ready', flush);
      this.#waiting.clear();
    });
  }

  offer(key: string, event: string, payload: unknown): void {
    this.offerGathered(key, event, () => payload);
  }

  /** What is gathered until the socket can take it: asked for when it goes out. */
  offerGathered(key: string, event: string, payload: () => unknown): void {
    // Removed first, so that the map stays in order of time.
    this.#waiting.delete(key);
    this.#waiting.set(key, [event, payload]);
    this.#flush();
  }

  #flush(): void {
    // The transport is not writable until the kernel has taken all that was written.
    if (this.#waiting.size === 0 || !this.#socket.conn.transport.writable) return;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const [event, payload] of waiting) this.#socket.emit(event, payload());
  }
}
