/** Units of work: the average per second, and the largest burst. */
export interface BucketLimits {
  readonly workPerSecond: number;
  readonly workAtOnce: number;
}

/** The longest pause of a connection, in seconds. */
const MAX_PAUSE_S = 5;

/** How much a connection may still send: refills at a steady rate and holds a limited burst. */
export class TokenBucket {
  readonly #limits: BucketLimits;
  #left: number;
  #asOf: number;

  constructor(limits: BucketLimits, now: number) {
    this.#limits = limits;
    this.#left = limits.workAtOnce;
    this.#asOf = now;
  }

  /** The balance never goes far below zero: a flood is slowed down, and forgotten a few seconds after it ends. */
  spend(work: number, now: number): void {
    const refilled = this.#left + ((now - this.#asOf) / 1000) * this.#limits.workPerSecond;
    const left = Math.min(refilled, this.#limits.workAtOnce) - work;
    this.#left = Math.max(left, -MAX_PAUSE_S * this.#limits.workPerSecond);
    this.#asOf = now;
  }

  /** How long to stop reading, in ms; 0 while tokens are left. */
  get pauseMs(): number {
    return this.#left > 0 ? 0 : Math.ceil((-this.#left / this.#limits.workPerSecond) * 1000) + 1;
  }
}
