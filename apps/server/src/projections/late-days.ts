import type { Claims } from './claims.ts';
import { foldsOf, type KeptFolds, type KeptFoldsParts } from './kept-folds.ts';
import { type LateMark, LateVehicles, markedVehicles, readMarks, runsOf, takeOff } from './late.ts';
import type { Fold } from './projection.ts';
import { Reading } from './reading.ts';

export const MARKS_AT_ONCE = 100;
const MARKS_TOGETHER = 4;

export interface LateDaysParts {
  readonly parts: Pick<KeptFoldsParts, 'db' | 'directory'>;
  readonly claims: Claims;
  readonly kept: KeptFolds;
  /** Whether a vehicle is of an account; of all, if it is null. */
  readonly isOf: (accountId: number | null) => (vehicleId: number) => boolean;
  readonly isStopped: () => boolean;
}

/** Folds again the days into which positions came late. */
export class LateDays {
  readonly #parts: LateDaysParts;
  readonly #late = new LateVehicles();

  constructor(parts: LateDaysParts) {
    this.#parts = parts;
  }

  get days(): number {
    return this.#late.days;
  }

  has(vehicleId: number): boolean {
    return this.#late.has(vehicleId);
  }

  /** Reads vehicles that are not in memory, some of which have a past to fold. */
  async load(ids: readonly number[], nowMs: number, over: boolean): Promise<void> {
    for (const id of await this.#parts.kept.load(ids, nowMs, over)) this.#late.add(id);
  }

  /** Answers how many days were marked, of those that it looks at in one go. */
  async foldAgain(accountId: number | null, vehicleIds: readonly number[] | null, deadline: number): Promise<number> {
    const { claims, isOf, isStopped, parts } = this.#parts;
    const { db, directory } = parts;
    const nowMs = Date.now();
    const notOf = await claims.ofOthers();
    const marks = await readMarks(db.system, { vehicleIds, nowMs, limit: MARKS_AT_ONCE, notOf });
    this.#late.set(isOf(accountId), await markedVehicles(db.system, accountId));
    // Marks of neighboring days bear on the same ones; what was folded since the marks were read has all of them.
    const done = new Map<Fold, Set<number>>();
    const left = Map.groupBy(marks, ({ vehicleId }) => vehicleId);
    for (const run of runsOf(marks, MARKS_TOGETHER)) {
      if (isStopped() || performance.now() > deadline) break;
      const { vehicleId } = run[0] as LateMark;
      const isKnown = directory.findById(vehicleId) !== null;
      if (isKnown && !(await this.#foldVehicle(vehicleId, run, nowMs, done))) continue;
      for (const mark of run) await takeOff(db.system, mark);
      const others = (left.get(vehicleId) ?? []).filter(mark => !run.includes(mark));
      left.set(vehicleId, others);
      if (others.length === 0) this.#late.done(vehicleId);
    }
    return marks.length;
  }

  /** Answers whether it is done and written; not where another runner keeps the vehicle. */
  async #foldVehicle(
    vehicleId: number,
    marks: readonly LateMark[],
    nowMs: number,
    done: Map<Fold, Set<number>>,
  ): Promise<boolean> {
    const { claims, kept, parts } = this.#parts;
    try {
      await this.load([vehicleId], nowMs, false);
      const vehicle = kept.get(vehicleId);
      if (!vehicle) return !(await claims.ofOthers([vehicleId])).includes(vehicleId);
      for (const mark of marks) {
        const reading = new Reading(parts.db.system, vehicleId);
        for (const fold of foldsOf(vehicle)) {
          const known = done.get(fold) ?? new Set();
          done.set(fold, known);
          await fold.foldAgain(reading, mark, kept.lookAt(vehicleId, nowMs), known);
        }
      }
      await kept.write([vehicle], nowMs);
      return kept.get(vehicleId) !== undefined;
    } catch (error) {
      kept.drop(vehicleId);
      throw error;
    }
  }
}
