/** Newer observations outweigh older ones: a device's clock may be set while the page is open. */
const KEPT = 60;
/** Below this the difference is the way from the server to here. */
const WORTH_MS = 2000;

/**
 * The server's clock, as far as this device can tell. Ages and statuses compare moments that the server has written; on
 * a device whose clock is ten minutes ahead, every moving vehicle would look outdated.
 */
export class ServerClock {
  readonly #local: () => number;
  readonly #ahead: number[] = [];
  #aheadMs = 0;

  constructor(local: () => number = Date.now) {
    this.#local = local;
  }

  /** The server wrote this moment into something that has just arrived live. */
  observe(serverMs: number): void {
    this.#ahead.push(this.#local() - serverMs);
    if (this.#ahead.length > KEPT) this.#ahead.shift();
    // The quickest message tells most about the clock and least about the way.
    const least = Math.min(...this.#ahead);
    this.#aheadMs = Math.abs(least) < WORTH_MS ? 0 : least;
  }

  now(): number {
    return this.#local() - this.#aheadMs;
  }
}
