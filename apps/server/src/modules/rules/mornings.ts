import type { RulesState } from '@milepost/geo';

/** Late positions correct what rules know of so many days before today. */
export const MORNINGS = 2;

/** How rules began each of the last days, by the day's number, so that a day can be watched again. */
export class Mornings {
  readonly #states: Map<number, RulesState>;
  /** The database doesn't have them. */
  #isNew: boolean;

  constructor(kept: Iterable<readonly [day: number, state: RulesState]>) {
    this.#states = new Map(kept);
    this.#isNew = this.#states.size === 0;
  }

  has(day: number): boolean {
    return this.#states.has(day);
  }

  /** Infinity if there are none. */
  get earliest(): number {
    return Math.min(...this.#states.keys());
  }

  /** The first fix of a day is next. */
  begin(day: number, state: RulesState): void {
    this.#states.set(day, state);
    this.#isNew = true;
    for (const known of this.#states.keys()) if (known < day - MORNINGS) this.#states.delete(known);
  }

  /** How a day began; null if that is unknown. A day without a reliable fix began as the next one that has any, or as `now`. */
  stateBefore(day: number, now: RulesState | null): RulesState | null {
    const days = [...this.#states.keys()];
    if (!days.some(known => known <= day)) return null;
    const next = Math.min(...days.filter(known => known >= day));
    return this.#states.get(next) ?? now;
  }

  dropFrom(day: number): void {
    for (const known of this.#states.keys()) if (known >= day) this.#states.delete(known);
    this.#isNew = true;
  }

  clear(): void {
    this.dropFrom(-Infinity);
  }

  /** What is to be written; `isNew` once. */
  takeChanged() {
    const isNew = this.#isNew;
    this.#isNew = false;
    return { mornings: [...this.#states], areMorningsNew: isNew };
  }
}
