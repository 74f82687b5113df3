import type { Crossing, FenceEvent, FollowerState } from '@milepost/geo';

export interface Visit {
  readonly geofenceId: number;
  readonly entry: Crossing;
  /** Null while the vehicle is inside. */
  readonly exit: Crossing | null;
  readonly isPass: boolean;
}

/** Of these geofences, or of all but those. */
export interface Scope {
  readonly only: readonly number[] | null;
  readonly except: readonly number[];
}

/** A visit is known by the geofence and the fix that made the entry certain. */
export interface VisitKey {
  readonly geofenceId: number;
  readonly knownMs: number;
}

/**
 * `again`: entries and exits that became certain in [fromMs, toMs) are forgotten, but for entries that are kept.
 * `inside`: the vehicle is inside by these entries, and by no other.
 */
export type Correction = Scope & { readonly kept: readonly VisitKey[] } & (
    | { readonly what: 'again'; readonly fromMs: number; readonly toMs: number }
    | { readonly what: 'inside' }
  );

export interface VisitChanges {
  /** In this order; before the visits. */
  readonly corrections: readonly Correction[];
  /** Those that are not over change only the entry of a known one. */
  readonly visits: readonly Visit[];
}

/** What is to be written of a vehicle's visits. */
export class PendingVisits {
  readonly #visits = new Map<string, Visit>();
  readonly #corrections: Correction[] = [];

  get isEmpty(): boolean {
    return this.#visits.size === 0 && this.#corrections.length === 0;
  }

  add({ fenceId: geofenceId, kind, entry, exit }: FenceEvent): void {
    this.#visits.set(keyOf(geofenceId, entry.knownAt), { geofenceId, entry, exit, isPass: kind === 'pass' });
  }

  /** A day was followed again, to this state. Who is inside at its end may have left later: that is told by `settle`. */
  replace(
    range: { readonly fromMs: number; readonly toMs: number },
    scope: Scope,
    events: readonly FenceEvent[],
    { fences }: FollowerState,
  ): void {
    const { fromMs, toMs } = range;
    const isWithin = (at: number): boolean => at >= fromMs && at < toMs;
    const kept = entriesOf(fences).filter(({ knownMs }) => isWithin(knownMs));
    const keys = new Set(kept.map(({ geofenceId, knownMs }) => keyOf(geofenceId, knownMs)));
    for (const [key, visit] of this.#visits) {
      if (!concerns(scope, visit.geofenceId)) continue;
      if (isWithin(visit.entry.knownAt) && !keys.has(key)) this.#visits.delete(key);
      else if (visit.exit && isWithin(visit.exit.knownAt)) this.#visits.set(key, { ...visit, exit: null });
    }
    this.#correct({ what: 'again', ...scope, ...range, kept });
    for (const event of events) if (event.exit) this.add(event);
  }

  /** Everything is followed again to where nothing differs: the vehicle is inside by these entries. */
  settle(scope: Scope, { fences }: FollowerState, isToday: boolean): void {
    const kept = entriesOf(fences);
    if (isToday) {
      const keys = new Set(kept.map(({ geofenceId, knownMs }) => keyOf(geofenceId, knownMs)));
      for (const [key, { exit, geofenceId }] of this.#visits) {
        if (exit === null && concerns(scope, geofenceId) && !keys.has(key)) this.#visits.delete(key);
      }
      this.#correct({ what: 'inside', ...scope, kept });
    }
    for (const [id, { entry }] of Object.entries(fences)) {
      const key = entry && keyOf(Number(id), entry.knownAt);
      if (!entry || key === null) continue;
      const known = this.#visits.get(key);
      this.#visits.set(key, { geofenceId: Number(id), entry, exit: known?.exit ?? null, isPass: false });
    }
  }

  /** Nobody knows any more whether the vehicle is inside these; visits that are over stay. */
  leave(geofenceIds: readonly number[]): void {
    if (geofenceIds.length === 0) return;
    for (const [key, { exit, geofenceId }] of this.#visits) {
      if (exit === null && geofenceIds.includes(geofenceId)) this.#visits.delete(key);
    }
    this.#correct({ what: 'inside', only: geofenceIds, except: [], kept: [] });
  }

  take(): VisitChanges {
    const changes = { corrections: [...this.#corrections], visits: [...this.#visits.values()] };
    this.#visits.clear();
    this.#corrections.length = 0;
    return changes;
  }

  #correct(correction: Correction): void {
    const last = this.#corrections.at(-1);
    const goesOn =
      last?.what === 'again' &&
      correction.what === 'again' &&
      last.toMs === correction.fromMs &&
      last.only === correction.only &&
      last.except === correction.except;
    if (!goesOn) this.#corrections.push(correction);
    else {
      const kept = [...last.kept, ...correction.kept];
      this.#corrections[this.#corrections.length - 1] = { ...last, toMs: correction.toMs, kept };
    }
  }
}

const keyOf = (geofenceId: number, knownMs: number): string => `${geofenceId} ${knownMs}`;

const entriesOf = (fences: FollowerState['fences']): VisitKey[] =>
  Object.entries(fences).flatMap(([id, { entry }]) =>
    entry ? [{ geofenceId: Number(id), knownMs: entry.knownAt }] : [],
  );

const concerns = ({ except, only }: Scope, geofenceId: number): boolean =>
  only === null ? !except.includes(geofenceId) : only.includes(geofenceId);
