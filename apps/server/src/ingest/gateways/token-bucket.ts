import type { Limits } from './limits.ts';

/** The longest that a connection is made to wait. */
const MAX_PAUSE_S = 5;

/** How much a connection may still send: refills at a steady rate and holds a limited burst. */
export class TokenBucket {
  readonly #limits: Limits;
  #left: number;
  #asOf: number;

  constructor(limits: Limits, now: number) {
    this.#limits = limits;
    this.#left = limits.workAtOnce;
    this.#asOf = now;
  }

  /** Never far below nothing: a flood is held up, and a few seconds after its end forgotten. */
  spend(work: number, now: number): void {
    const refilled = this.#left + ((now - this.#asOf) / 1000) * this.#limits.workPerSecond;
    const left = Math.min(refilled, this.#limits.workAtOnce) - work;
    this.#left = Math.max(left, -MAX_PAUSE_S * this.#limits.workPerSecond);
    this.#asOf = now;
  }

  /** How long to stop reading; 0 while there is something left. */
  get pauseMs(): number {
    return this.#left > 0 ? 0 : Math.ceil((-this.#left / this.#limits.workPerSecond) * 1000) + 1;
  }
}
