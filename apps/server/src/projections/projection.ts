import type { AccountTransaction } from '../db/database.ts';
import type { FixRow } from '../tracks/fixes.ts';
import type { Db, LateRange, Reading } from './reading.ts';

export interface Followed {
  readonly id: number;
  readonly accountId: number;
}

/** When the runner looks, and the vehicle's newest fix that counts as news; null if there is none. */
export interface Look {
  readonly nowMs: number;
  readonly newestMs: number | null;
}

/**
 * What follows from the fixes of one vehicle, in memory: the same for the same fixes, whatever the order in which they
 * came, and however often it was read and written in between.
 */
export interface Fold {
  /** The cursor: the newest fix that is folded. */
  readonly throughMs: number;
  /** Nothing before the cursor is folded yet: the runner reports that past as late. */
  readonly isNew: boolean;
  /** Its fixes come with what was measured at them, which takes longer to read. */
  readonly isMeasured?: boolean;
  /** Nothing of the vehicle is followed, so what others are behind it says nothing. */
  readonly isIdle?: boolean;
  /** Some of the past is still to be counted, or counted again: `goOn` does that, when there is time for it. */
  readonly hasPast?: boolean;
  /** Counts a part of that past. Called after `take`, with everything that is stored folded or about to be. */
  goOn?(reading: Reading, look: Look): Promise<void>;
  /** Folds the next fixes, each newer than the cursor, oldest first. May be called without any when `isDue`. */
  take(reading: Reading, fixes: readonly FixRow[], look: Look): Promise<void>;
  /** Something is to be done although no fix came, because time went on. */
  isDue(nowMs: number): boolean;
  /** Folds again what positions of this range bear on, but for what is in `done`, and notes there what it did. */
  foldAgain(reading: Reading, range: LateRange, look: Look, done: Set<number>): Promise<void>;
  /** Must be written now. Otherwise it may wait for minutes, because the fixes can be read again. */
  mustBeWritten(nowMs: number): boolean;
}

/** CONTRIBUTING.md, "Adding a projection". */
export interface Projection<F extends Fold = Fold> {
  readonly name: string;
  /** As it was written, or from the beginning. Vehicles of which nothing can be folded yet are left out. */
  load(db: Db, vehicles: readonly (Followed & Look)[]): Promise<ReadonlyMap<number, F>>;
  /** Writes what changed and lets go of what is settled, in the one transaction of everything that was folded. */
  write(trx: AccountTransaction, folds: readonly F[], nowMs: number): Promise<void>;
  /** What was written of these is committed. Not called for what is lost between the two. */
  written?(folds: readonly F[]): void;
}

/** How far all projections are. */
export interface Progress {
  /** Fixes that were folded in their order. */
  readonly followed: number;
  /** How long the oldest fix that is not folded has waited, in an account or in all. */
  readonly behindMs: number;
  /** Days into which positions came late. */
  readonly lateDays: number;
}
