import type { Change, Changes } from '@milepost/contract';

/** More than this is sooner read anew than told. */
const AT_MOST = 1000;

/** What a follower was not told yet: each thing once, however often it was changed; bounded (invariant I9). */
export class Untold {
  readonly #changes = new Map<string, Change>();
  #isTooMuch = false;

  add(change: Change): void {
    if (this.#isTooMuch) return;
    this.#changes.set(`${change.kind} ${change.id}`, change);
    if (this.#changes.size > AT_MOST) {
      this.#isTooMuch = true;
      this.#changes.clear();
    }
  }

  take(number: number): Changes {
    const changes = this.#isTooMuch ? 'everything' : [...this.#changes.values()];
    this.#isTooMuch = false;
    this.#changes.clear();
    return { number, changes };
  }
}
