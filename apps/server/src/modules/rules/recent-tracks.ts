import type { RuleFix } from '@milepost/geo';
import type { Db } from '../../projections/reading.ts';
import { fixesAroundOf } from '../../tracks/recent-fixes.ts';
import { toRuleFix } from './rule-fix.ts';

/** Fixes in the order of time: the last one before a moment, and all since. */
export type Tracks = ReadonlyMap<number, readonly RuleFix[]>;

export interface Recent {
  readonly tracks: Tracks;
  /** When they were read. */
  readonly readMs: number;
}

interface Read extends Recent {
  readonly fromMs: number;
}

/** Vehicles follow each other within this time, and ask for about the same. */
const EARLIER_MS = 60_000;
const FRESH_MS = 2000;
/** Whoever asked no longer ago asks again. */
const ASKED_MS = 60_000;
const MOST_AT_ONCE = 500;

/**
 * What vehicles reported in the last minutes, read once for all that compare their places with each other's at about
 * the same time: a hundred vehicles of a folder look at the same hundred of another one.
 */
export class RecentTracks {
  /** The newest fix of each that was folded. */
  readonly #newest = new Map<number, number>();
  readonly #asked = new Map<number, number>();
  #read: Read | null = null;

  /** A vehicle's next fixes are there. */
  folded(vehicleId: number, newestMs: number): void {
    this.#newest.set(vehicleId, newestMs);
  }

  /** At least everything that was folded of these vehicles, and the last fix before a moment, unless that is long ago. */
  async since(db: Db, vehicleIds: readonly number[], fromMs: number, sinceMs: number, nowMs: number): Promise<Recent> {
    const known = this.#read;
    if (known && this.#isEnough(known, vehicleIds, fromMs, nowMs)) return known;
    for (const [id, askedMs] of this.#asked) if (nowMs - askedMs > ASKED_MS) this.#asked.delete(id);
    if (this.#asked.size + vehicleIds.length > MOST_AT_ONCE) this.#asked.clear();
    for (const id of vehicleIds) this.#asked.set(id, nowMs);
    const ids = [...this.#asked.keys()];
    const [first, now] = [fromMs - EARLIER_MS, new Date(nowMs)];
    const tracks = new Map<number, RuleFix[]>(ids.map(id => [id, []]));
    const span = { since: new Date(sinceMs - EARLIER_MS), from: new Date(first), to: now, until: now };
    for (const { vehicle_id, ...row } of await fixesAroundOf(db, ids, span)) {
      tracks.get(vehicle_id)?.push(toRuleFix(row));
    }
    this.#read = { tracks, readMs: nowMs, fromMs: first };
    return this.#read;
  }

  #isEnough({ fromMs, readMs, tracks }: Read, vehicleIds: readonly number[], askedMs: number, nowMs: number): boolean {
    if (fromMs > askedMs || nowMs < readMs || nowMs - readMs > FRESH_MS) return false;
    return vehicleIds.every(id => {
      const track = tracks.get(id);
      const newest = this.#newest.get(id) ?? Number.NEGATIVE_INFINITY;
      return track !== undefined && newest <= (track.at(-1)?.time ?? Number.NEGATIVE_INFINITY);
    });
  }
}
