import type { Kysely } from 'kysely';
import type { Database } from '../db/schema.ts';
import { type FixRow, fixesAround, fixesBefore, momentsAround } from '../tracks/fixes.ts';

export type Db = Kysely<Database>;

/** A stretch of time into which positions came behind newer ones; both ends included. */
export interface LateRange {
  readonly firstMs: number;
  readonly lastMs: number;
}

type Moments = Awaited<ReturnType<typeof momentsAround>>;

/** Looks back into a vehicle's fixes, for one step of its folds: what one of them has read, the others need not. */
export class Reading {
  readonly db: Db;
  readonly #vehicleId: number;
  readonly #known = new Map<string, Promise<unknown>>();

  constructor(db: Db, vehicleId: number) {
    this.db = db;
    this.#vehicleId = vehicleId;
  }

  /** The fixes of [fromMs, toMs) and the few around them. */
  around(fromMs: number, toMs: number): Promise<FixRow[]> {
    return this.#once(`around ${fromMs} ${toMs}`, () =>
      fixesAround(this.db, this.#vehicleId, new Date(fromMs), new Date(toMs)),
    );
  }

  /** The newest few before a moment, oldest first. */
  before(fromMs: number): Promise<FixRow[]> {
    return this.#once(`before ${fromMs}`, () => fixesBefore(this.db, this.#vehicleId, new Date(fromMs)));
  }

  /** When the few fixes were on either side of a range. */
  momentsAround({ firstMs, lastMs }: LateRange): Promise<Moments> {
    return this.#once(`moments ${firstMs} ${lastMs}`, () =>
      momentsAround(this.db, this.#vehicleId, new Date(firstMs), new Date(lastMs)),
    );
  }

  #once<T>(what: string, read: () => Promise<T>): Promise<T> {
    const known = (this.#known.get(what) as Promise<T> | undefined) ?? read();
    this.#known.set(what, known);
    return known;
  }
}
