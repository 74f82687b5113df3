import type { Change, ChangeKind, Changes } from '@milepost/contract';

/** More than this is sooner read anew than told. */
const AT_MOST = 2000;

/** What a follower was not told yet: each thing once, however often it was changed; bounded (invariant I9). */
export class Untold {
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
