import type { Crossing, FenceEvent } from '@milepost/geo';

export interface Visit {
  readonly geofenceId: number;
  readonly entry: Crossing;
  /** Null while the vehicle is inside. */
  readonly exit: Crossing | null;
  readonly isPass: boolean;
}

/** Visits that became certain in [fromMs, toMs) are counted anew: of these geofences, or of all but these. */
export interface Cleared {
  readonly fromMs: number;
  readonly toMs: number;
  readonly only: readonly number[] | null;
  readonly except: readonly number[];
}

export interface VisitChanges {
  /** In this order; before the visits. */
  readonly cleared: readonly Cleared[];
  /** Geofences of which the vehicle is not known to be inside any more. */
  readonly left: readonly number[];
  readonly visits: readonly Visit[];
}

/** What is to be written of a vehicle's visits. */
export class PendingVisits {
  readonly #visits = new Map<string, Visit>();
  readonly #cleared: Cleared[] = [];
  readonly #left = new Set<number>();

  get isEmpty(): boolean {
    return this.#visits.size === 0 && this.#cleared.length === 0 && this.#left.size === 0;
  }

  add({ fenceId: geofenceId, kind, entry, exit }: FenceEvent): void {
    this.#visits.set(keyOf(geofenceId, entry), { geofenceId, entry, exit, isPass: kind === 'pass' });
  }

  /** As if nothing of this had become certain yet. */
  clear(cleared: Cleared): void {
    const { fromMs, toMs } = cleared;
    const isWithin = (crossing: Crossing | null): boolean =>
      crossing !== null && crossing.knownAt >= fromMs && crossing.knownAt < toMs;
    for (const [key, visit] of this.#visits) {
      if (!concerns(cleared, visit.geofenceId)) continue;
      if (isWithin(visit.entry)) this.#visits.delete(key);
      else if (isWithin(visit.exit)) this.#visits.set(key, { ...visit, exit: null });
    }
    const last = this.#cleared.at(-1);
    const goesOn = last?.toMs === fromMs && last.only === cleared.only && last.except === cleared.except;
    if (last && goesOn) this.#cleared[this.#cleared.length - 1] = { ...last, toMs };
    else this.#cleared.push(cleared);
  }

  /** Nobody knows any more whether the vehicle is inside: what is over stays. */
  leave(geofenceIds: readonly number[]): void {
    const gone = new Set(geofenceIds);
    for (const [key, { exit, geofenceId }] of this.#visits) {
      if (exit === null && gone.has(geofenceId)) this.#visits.delete(key);
    }
    for (const id of gone) this.#left.add(id);
  }

  take(): VisitChanges {
    const changes = { cleared: [...this.#cleared], left: [...this.#left], visits: [...this.#visits.values()] };
    this.#visits.clear();
    this.#cleared.length = 0;
    this.#left.clear();
    return changes;
  }
}

const keyOf = (geofenceId: number, entry: Crossing): string => `${geofenceId} ${entry.knownAt}`;

const concerns = ({ only, except }: Cleared, geofenceId: number): boolean =>
  only === null ? !except.includes(geofenceId) : only.includes(geofenceId);
