import type { ClientBase } from 'pg';
import type { OwnedPosition } from './written-columns.ts';

/** A position inside the transaction that stores it. */
export interface TakenPosition extends OwnedPosition {
  /** False when there was one of this vehicle and moment already: a repetition, most likely. */
  readonly isInserted: boolean;
}

/**
 * What is written in the transaction of the positions that it is about: there when they are acknowledged, and not
 * without them (invariant I1).
 */
export interface CommitHook {
  /** The vehicles of which it has something to write. Asked for every batch, and nearly always none. */
  concerned(positions: readonly OwnedPosition[]): ReadonlySet<number>;
  /** Answers what there is to do once all is committed. */
  write(client: ClientBase, positions: readonly TakenPosition[]): Promise<() => void>;
}

export const NO_COMMIT_HOOK: CommitHook = {
  concerned: () => NOBODY,
  write: async () => () => {},
};
const NOBODY: ReadonlySet<number> = new Set();
