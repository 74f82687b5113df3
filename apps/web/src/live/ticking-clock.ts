/**
 * A clock that ticks every second. Everything that shows an age uses it, so all ages change together, with one timer.
 */
export class TickingClock {
  readonly now: () => number;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #tickedMs: number;

  constructor(now: () => number) {
    this.now = now;
    this.#tickedMs = now();
  }

  /** The time of the last tick, in milliseconds since 1970. */
  readonly ticked = (): number => this.#tickedMs;

  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) {
      this.#tickedMs = this.now();
      this.#timer = setInterval(this.tick, 1000);
    }
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) clearInterval(this.#timer);
    };
  };

  /** Ticks at once, for when the clock was set. */
  readonly tick = (): void => {
    this.#tickedMs = this.now();
    for (const listener of this.#listeners) listener();
  };
}
