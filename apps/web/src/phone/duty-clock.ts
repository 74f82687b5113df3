/** The server's last word about the time, and what this phone's clock said at that moment. */
export interface ClockAnchor {
  readonly serverMs: number;
  readonly wallMs: number;
}

export interface Clocks {
  /** The phone's clock, which anyone can set. */
  readonly wall: () => number;
  /** Counts on whatever the clock does, but stands still while the phone sleeps, and begins anew with the page. */
  readonly monotonic: () => number;
}

/** Smaller differences are the way from the server to here. */
const WORTH_MS = 2000;
/** From here on the phone says that its clock is wrong. */
export const NOTICED_MS = 60_000;

/**
 * The server's time on a phone without a network: the last word of the server, and what has passed since. Both clocks
 * of a phone can only tell too little by themselves: the monotonic one stops while it sleeps, the other one may be set
 * back. So whichever has seen more time pass is right, and time never goes backward. A clock that is set forward can't
 * be told from sleep; the next word of the server ends that, and `inputOf` brings back what was written meanwhile.
 */
export class DutyClock {
  readonly #clocks: Clocks;
  #anchor: ClockAnchor | null = null;
  #monotonicAtAnchor = 0;
  #told = Number.NEGATIVE_INFINITY;

  constructor(clocks: Clocks = { wall: Date.now, monotonic: () => performance.now() }) {
    this.#clocks = clocks;
  }

  /** The server wrote this moment into an answer that has just arrived. */
  observe(serverMs: number): ClockAnchor {
    const wallMs = this.#clocks.wall();
    this.#anchor = { serverMs, wallMs };
    this.#monotonicAtAnchor = this.#clocks.monotonic();
    // The server is right, even about what was told before.
    this.#told = serverMs;
    return this.#anchor;
  }

  /** What an earlier page has kept. `newestMs`: the newest moment that is known to be past. */
  restore(anchor: ClockAnchor, newestMs: number): void {
    if (this.#anchor && this.#anchor.serverMs >= anchor.serverMs) return;
    this.#anchor = anchor;
    this.#told = Math.max(anchor.serverMs, newestMs);
    this.#monotonicAtAnchor = this.#clocks.monotonic() - Math.max(0, this.#told - anchor.serverMs);
  }

  /** Epoch milliseconds. */
  now(): number {
    if (this.#anchor) {
      const byWall = this.#clocks.wall() - this.#anchor.wallMs;
      const byMonotonic = this.#clocks.monotonic() - this.#monotonicAtAnchor;
      // Within what the two differ by anyway the monotonic one is smoother.
      const passed = byWall > byMonotonic + WORTH_MS ? byWall : byMonotonic;
      this.#told = Math.max(this.#told, this.#anchor.serverMs + passed);
    } else this.#told = Math.max(this.#told, this.#clocks.wall());
    return this.#told;
  }

  /** How far the phone's clock is ahead of the time that is shown, now; negative behind it. 0 if it is right. */
  wrongByMs(): number {
    const wrong = this.#anchor ? this.#clocks.wall() - this.now() : 0;
    return Math.abs(wrong) < NOTICED_MS ? 0 : wrong;
  }
}

/** The server's time on this phone, with or without a network. */
export const dutyClock = new DutyClock();
