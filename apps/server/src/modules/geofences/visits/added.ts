import type { KeptAdded } from '../../../db/visit-schema.ts';
import type { AccountFences } from './account-fences.ts';

export type { KeptAdded };

/** Geofences of a vehicle whose visits are not counted up to now yet. */
export class Added {
  readonly kept: KeptAdded;
  /** The same array for as long as it is the same geofences. */
  readonly list: readonly number[];
  readonly #ids: ReadonlySet<number>;

  private constructor(kept: KeptAdded, list: readonly number[], ids: ReadonlySet<number>) {
    this.kept = kept;
    this.list = list;
    this.#ids = ids;
  }

  /** Null if none of them is for the vehicle. */
  static of(kept: KeptAdded, fences: AccountFences, isForIt: (id: number) => boolean): Added | null {
    const { above, ids } = kept;
    const all = [...(above === null ? [] : fences.changedAfter(above)), ...ids];
    const counted = new Set(all.filter(isForIt));
    return counted.size === 0 ? null : new Added(kept, [...counted], counted);
  }

  /** The next day to count. */
  get from(): number {
    return this.kept.from;
  }

  /** Nothing is known of them before that day. */
  get since(): number {
    return this.kept.since;
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  startingAt(from: number): Added {
    return new Added({ ...this.kept, from }, this.list, this.#ids);
  }
}
