import type { Databases } from '../db/database.ts';
import type { Directory } from '../fleet/directory.ts';
import type { LiveStates } from '../fleet/live.ts';
import type { Claims } from './claims.ts';
import { markPast } from './late.ts';
import type { Fold, Look, Projection } from './projection.ts';

export interface KeptFoldsParts {
  readonly db: Databases;
  readonly directory: Pick<Directory, 'findById' | 'ofAccount'>;
  readonly live: LiveStates;
  readonly projections: readonly Projection[];
}

/** What follows from a vehicle's fixes, in the order of the projections; null where nothing can be folded yet. */
export interface KeptVehicle {
  readonly id: number;
  readonly folds: readonly (Fold | null)[];
  /** When its folds were last written; what came since then is read again after a restart. */
  writtenAtMs: number;
}

/** The folds of the vehicles that this runner has claimed: in memory, and how they get from and to the database. */
export class KeptFolds {
  readonly #parts: KeptFoldsParts;
  readonly #claims: Claims;
  readonly #vehicles = new Map<number, KeptVehicle>();

  constructor(parts: KeptFoldsParts, claims: Claims) {
    this.#parts = parts;
    this.#claims = claims;
  }

  get(vehicleId: number): KeptVehicle | undefined {
    return this.#vehicles.get(vehicleId);
  }

  all(): KeptVehicle[] {
    return [...this.#vehicles.values()];
  }

  /** The others come before it. */
  toEnd(vehicleId: number): void {
    const vehicle = this.#vehicles.get(vehicleId);
    if (this.#vehicles.delete(vehicleId) && vehicle) this.#vehicles.set(vehicleId, vehicle);
  }

  /** From memory; the database has what was written. */
  drop(vehicleId: number): void {
    this.#vehicles.delete(vehicleId);
  }

  /** What is in memory of a vehicle; null while nothing was folded here. */
  fold<F extends Fold>(projection: Projection<F>, vehicleId: number): F | null {
    const nth = this.#parts.projections.indexOf(projection);
    return (this.#vehicles.get(vehicleId)?.folds[nth] ?? null) as F | null;
  }

  /** What is folded of an account's vehicles is read again. */
  forget(accountId: number): void {
    for (const id of this.#vehicles.keys()) {
      if (this.#parts.directory.findById(id)?.accountId === accountId) this.#vehicles.delete(id);
    }
  }

  lookAt(vehicleId: number, nowMs: number): Look {
    return { nowMs, newestMs: this.newestMs(vehicleId) };
  }

  newestMs(vehicleId: number): number | null {
    return this.#parts.live.of(vehicleId)?.motion.fixAt ?? null;
  }

  /** Claims those that are not in memory, and reads how far they are. Answers those whose past has to be folded. */
  async load(ids: readonly number[], nowMs: number, over: boolean): Promise<number[]> {
    const { db, directory, projections } = this.#parts;
    const claimed = await this.#claims.take(
      ids.filter(id => !this.#vehicles.has(id)),
      over,
    );
    const missing = [...claimed].flatMap(id => directory.findById(id) ?? []);
    if (missing.length === 0) return [];
    const looks = missing.map(({ id, accountId }) => ({ id, accountId, ...this.lookAt(id, nowMs) }));
    const loaded = [];
    const withPast: number[] = [];
    for (const projection of projections) loaded.push(await projection.load(db.system, looks));
    for (const { id, accountId } of missing) {
      const folds = loaded.map(byVehicle => byVehicle.get(id) ?? null);
      const begun = folds.filter(fold => fold !== null);
      if (begun.length === 0) continue;
      const past = begun.filter(({ isNew }) => isNew).map(fold => fold.throughMs);
      if (past.length > 0) {
        await markPast(db.system, accountId, id, Math.max(...past) + 1);
        withPast.push(id);
      }
      this.#vehicles.set(id, { id, folds, writtenAtMs: Number.NEGATIVE_INFINITY });
    }
    return withPast;
  }

  /** All projections of these vehicles, or none, so that they are of one moment. */
  async write(vehicles: readonly KeptVehicle[], nowMs: number): Promise<void> {
    const { db, directory, projections } = this.#parts;
    const known = vehicles.filter(({ id }) => directory.findById(id) !== null);
    if (known.length === 0) return;
    const held = await db.system.transaction().execute(async trx => {
      const ids = await this.#claims.hold(
        trx,
        known.map(({ id }) => id),
      );
      const ours = known.filter(({ id }) => ids.has(id));
      for (const [nth, projection] of projections.entries()) {
        await projection.write(
          trx,
          ours.flatMap(({ folds }) => folds[nth] ?? []),
          nowMs,
        );
      }
      return ids;
    });
    const written = known.filter(({ id }) => held.has(id));
    for (const [nth, projection] of projections.entries()) {
      projection.written?.(written.flatMap(({ folds }) => folds[nth] ?? []));
    }
    for (const vehicle of known) {
      if (held.has(vehicle.id)) vehicle.writtenAtMs = nowMs;
      else this.#vehicles.delete(vehicle.id);
    }
  }
}

export const foldsOf = ({ folds }: KeptVehicle): Fold[] => folds.filter(fold => fold !== null);
/** How far all of them are. */
export const throughMs = (vehicle: KeptVehicle): number => Math.min(...foldsOf(vehicle).map(fold => fold.throughMs));

/** A past to count, or folds that others are ahead of. */
export const hasPast = (vehicle: KeptVehicle): boolean =>
  throughMs(vehicle) < aheadMs(vehicle) || foldsOf(vehicle).some(fold => fold.hasPast === true);

/** How far those are that are ahead: they go on with what is new, while the others still follow the day so far. */
export function aheadMs(vehicle: KeptVehicle): number {
  const followed = foldsOf(vehicle).filter(({ isIdle }) => isIdle !== true);
  return Math.max(...(followed.length > 0 ? followed : foldsOf(vehicle)).map(fold => fold.throughMs));
}
