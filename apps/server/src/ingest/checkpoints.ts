import type { Change } from './change.ts';

/**
 * When a vehicle's state is written. The truth are the positions: a state is what follows from them, so it is written
 * once in a while, and at start what came after it is replayed (`live.ts`). Written with every position, it would cost
 * the database more than the position itself.
 */
const WRITE_EVERY_MS = 30_000;
/** Limits what has to be replayed. */
const WRITE_EVERY_POSITIONS = 200;

interface Unwritten {
  /** The time of the last write. */
  at: number;
  positions: number;
  /** Null if the stored state is current. */
  change: Change | null;
}

export class Checkpoints {
  readonly #unwritten = new Map<number, Unwritten>();

  /** The changes whose state must be written with them. */
  due(changes: readonly Change[], now: number): Change[] {
    return changes.filter(({ vehicle, before, positions }) => {
      const unwritten = this.#unwritten.get(vehicle.id);
      if (before === null || !unwritten) return true;
      return now - unwritten.at >= WRITE_EVERY_MS || unwritten.positions + positions >= WRITE_EVERY_POSITIONS;
    });
  }

  /** After the commit of `changes`; the states of `written` were stored with them. */
  committed(changes: readonly Change[], written: readonly Change[], now: number): void {
    for (const change of changes) {
      const unwritten = this.#unwritten.get(change.vehicle.id);
      if (!unwritten) continue;
      unwritten.positions += change.positions;
      unwritten.change = change;
    }
    for (const { vehicle } of written) this.#unwritten.set(vehicle.id, { at: now, positions: 0, change: null });
  }

  /** All states not yet written. */
  all(): Change[] {
    return [...this.#unwritten.values()].flatMap(({ change }) => change ?? []);
  }

  forget(vehicleId: number): void {
    this.#unwritten.delete(vehicleId);
  }
}
