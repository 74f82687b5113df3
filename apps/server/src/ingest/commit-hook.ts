import type { ClientBase } from 'pg';
import type { OwnedPosition } from './written-columns.ts';

/** A position inside the transaction that stores it. */
export interface TakenPosition extends OwnedPosition {
  /** False if the vehicle already had a position of this time, most likely a repetition. */
  readonly isInserted: boolean;
}

/**
 * Written in the transaction of the positions it is about: stored when they are acknowledged, and not
 * without them (invariant I1).
 */
export interface CommitHook {
  /** The vehicles it has something to write for. Asked for every batch; nearly always none. */
  concerned(positions: readonly OwnedPosition[]): ReadonlySet<number>;
  /** These vehicles were another node's until now: what is remembered of them is read again. */
  reread(vehicleIds: readonly number[]): Promise<void>;
  /** Returns what to do after the commit. */
  write(client: ClientBase, positions: readonly TakenPosition[]): Promise<() => void>;
}

export const NO_COMMIT_HOOK: CommitHook = {
  concerned: () => NOBODY,
  reread: async () => {},
  write: async () => () => {},
};
const NOBODY: ReadonlySet<number> = new Set();
