/** The server's time when it last answered, and what this phone's clock said at that moment. */
export interface ClockAnchor {
  readonly serverMs: number;
  readonly wallMs: number;
}

export interface Clocks {
  /** The phone's clock, which anyone can change. */
  readonly wall: () => number;
  /** Runs on even if the clock is changed, but stops while the phone sleeps, and restarts with the page. */
  readonly monotonic: () => number;
}

/** Smaller differences are just the network's delay. */
const WORTH_MS = 2000;
/** For as long after its word, the server's time is known without asking. */
const SURE_FOR_MS = 60_000;
/** From this difference on, the app says that the phone's clock is wrong. */
export const NOTICED_MS = 60_000;

/**
 * The server's time on a phone without a network: its last answer plus the time that has passed since. Each of the
 * phone's clocks can only lose time: the monotonic clock stops during sleep, and the wall clock may be set back. So the
 * clock that has counted more time is right, and time never runs backward. A clock that was set forward looks the same
 * as sleep; the next answer from the server corrects it, and `inputOf` corrects entries made in between.
 */
export class DutyClock {
  readonly #clocks: Clocks;
  #anchor: ClockAnchor | null = null;
  #monotonicAtAnchor = 0;
  #told = Number.NEGATIVE_INFINITY;
  /** This page has heard the server itself; the anchor isn't an earlier page's. */
  #isHeard = false;

  constructor(clocks: Clocks = { wall: Date.now, monotonic: () => performance.now() }) {
    this.#clocks = clocks;
  }

  /** Call when an answer arrives that contains the server's time. */
  observe(serverMs: number): ClockAnchor {
    const wallMs = this.#clocks.wall();
    this.#anchor = { serverMs, wallMs };
    this.#monotonicAtAnchor = this.#clocks.monotonic();
    this.#isHeard = true;
    // The server is right, even if an earlier time was already shown.
    this.#told = serverMs;
    return this.#anchor;
  }

  /** Restores what an earlier page has stored. `newestMs`: the latest moment known to be past. */
  restore(anchor: ClockAnchor, newestMs: number): void {
    if (this.#anchor && this.#anchor.serverMs >= anchor.serverMs) return;
    this.#anchor = anchor;
    this.#isHeard = false;
    this.#told = Math.max(anchor.serverMs, newestMs);
    this.#monotonicAtAnchor = this.#clocks.monotonic() - Math.max(0, this.#told - anchor.serverMs);
  }

  /** Epoch milliseconds. */
  now(): number {
    if (this.#anchor) {
      const byWall = this.#clocks.wall() - this.#anchor.wallMs;
      const byMonotonic = this.#clocks.monotonic() - this.#monotonicAtAnchor;
      // While both clocks roughly agree, use the monotonic one, which runs more smoothly.
      const passed = byWall > byMonotonic + WORTH_MS ? byWall : byMonotonic;
      this.#told = Math.max(this.#told, this.#anchor.serverMs + passed);
    } else this.#told = Math.max(this.#told, this.#clocks.wall());
    return this.#told;
  }

  /**
   * Whether this page has just heard the server, and no clock was set forward, and no sleep was counted, since: then no
   * time that it gave after that word is ahead of the server's.
   */
  isSure(): boolean {
    if (!this.#anchor || !this.#isHeard) return false;
    const passed = this.#clocks.monotonic() - this.#monotonicAtAnchor;
    return passed < SURE_FOR_MS && this.now() - (this.#anchor.serverMs + passed) < WORTH_MS;
  }

  /** How far the phone's clock is ahead of the shown time, in ms; negative if it is behind, 0 if it is right. */
  wrongByMs(): number {
    const wrong = this.#anchor ? this.#clocks.wall() - this.now() : 0;
    return Math.abs(wrong) < NOTICED_MS ? 0 : wrong;
  }
}

/** The server's time on this phone, with or without a network. */
export const dutyClock = new DutyClock();
