import type { Change } from './lane.ts';

/**
 * When a vehicle's state is written. The truth are the positions: a state is what follows from them, so it is written
 * once in a while, and at start what came after it is replayed (`live.ts`). Written with every position, it would cost
 * the database more than the position itself.
 */
const WRITE_EVERY_MS = 30_000;
/** Bounds what has to be replayed. */
const WRITE_EVERY_POSITIONS = 200;

interface Unwritten {
  /** Of the last write. */
  at: number;
  positions: number;
  /** Null when the state is written as it is. */
  change: Change | null;
}

export class Checkpoints {
  readonly #unwritten = new Map<number, Unwritten>();

  /** Those of the changes whose state has to be written with them. */
  due(changes: readonly Change[], now: number): Change[] {
    return changes.filter(({ vehicle, before, positions }) => {
      const unwritten = this.#unwritten.get(vehicle.id);
      if (before === null || !unwritten) return true;
      return now - unwritten.at >= WRITE_EVERY_MS || unwritten.positions + positions >= WRITE_EVERY_POSITIONS;
    });
  }

  /** After the commit of `changes`, of which `written` went with their states. */
  committed(changes: readonly Change[], written: readonly Change[], now: number): void {
    for (const change of changes) {
      const unwritten = this.#unwritten.get(change.vehicle.id);
      if (!unwritten) continue;
      unwritten.positions += change.positions;
      unwritten.change = change;
    }
    for (const { vehicle } of written) this.#unwritten.set(vehicle.id, { at: now, positions: 0, change: null });
  }

  /** Everything that is not written yet. */
  all(): Change[] {
    return [...this.#unwritten.values()].flatMap(({ change }) => change ?? []);
  }

  forget(vehicleId: number): void {
    this.#unwritten.delete(vehicleId);
  }
}
