/** Number of observations kept. Old ones are dropped because the device's clock may be set while the page is open. */
const KEPT = 60;
/** Smaller differences are due to the network and are ignored. */
const WORTH_MS = 2000;

/**
 * Estimates the server's clock. Ages and statuses compare times that the server wrote. If the device's clock were ten
 * minutes ahead, every moving vehicle would look outdated.
 */
export class ServerClock {
  readonly #local: () => number;
  readonly #ahead: number[] = [];
  #aheadMs = 0;

  constructor(local: () => number = Date.now) {
    this.#local = local;
  }

  /** Call with the time that the server wrote into a message that has just arrived live. */
  observe(serverMs: number): void {
    this.#ahead.push(this.#local() - serverMs);
    if (this.#ahead.length > KEPT) this.#ahead.shift();
    // The smallest difference has the least network delay in it.
    const least = Math.min(...this.#ahead);
    this.#aheadMs = Math.abs(least) < WORTH_MS ? 0 : least;
  }

  now(): number {
    return this.#local() - this.#aheadMs;
  }
}
