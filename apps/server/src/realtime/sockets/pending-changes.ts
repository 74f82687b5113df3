import type { Change, ChangeKind, Changes } from '@milepost/contract';

/** Above this, it is cheaper for the browser to refetch everything. */
const AT_MOST = 2000;

/** Changes not sent to a follower yet: each item once, however often it changed; bounded (invariant I9). */
export class PendingChanges {
  readonly #byKind = new Map<ChangeKind, Map<string | null, Change>>();
  #count = 0;

  add(change: Change): void {
    if (this.#count > AT_MOST) return;
    let things = this.#byKind.get(change.kind);
    if (!things) {
      things = new Map();
      this.#byKind.set(change.kind, things);
    }
    const before = things.size;
    things.set(change.id, change);
    this.#count += things.size - before;
    if (this.#count > AT_MOST) this.#byKind.clear();
  }

  take(number: number): Changes {
    const changes =
      this.#count > AT_MOST ? 'everything' : [...this.#byKind.values()].flatMap(each => [...each.values()]);
    this.#byKind.clear();
    this.#count = 0;
    return { number, changes };
  }
}
