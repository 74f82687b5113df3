import { degrees } from '@milepost/units';
import Flatbush from 'flatbush';
import type { LatLon } from '../fix.ts';
import type { FenceArea } from './area.ts';
import { near, scaleAt } from './ellipsoid.ts';

/** What a crossing takes; `Fence.edge`. */
export interface EdgeSettings {
  /** Meters past the edge, at least; more if the fix is less accurate. */
  readonly buffer: number;
  /** Fixes in a row. */
  readonly minFixes: number;
  /** Or milliseconds of standing there. */
  readonly minDuration: number;
}

export const DEFAULT_EDGE: EdgeSettings = { buffer: 25, minFixes: 2, minDuration: 60_000 };

/** Degrees, from west to east without the 180th meridian. */
export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

export interface Fence {
  readonly id: number;
  readonly area: FenceArea;
  readonly edge: EdgeSettings;
}

/** Geofences by place: one that is far away costs nothing. */
export class FenceIndex {
  readonly #fences: ReadonlyMap<number, Fence>;
  readonly #boxes: Flatbush | null;
  /** The fence of each box; one over the antimeridian has two. */
  readonly #ofBox: readonly Fence[];

  constructor(fences: readonly Fence[]) {
    this.#fences = new Map(fences.map(fence => [fence.id, fence]));
    const boxes = fences.flatMap(fence =>
      boxesOf(fence.area.bounds.west, fence.area.bounds.east).map(([west, east]) => ({ fence, west, east })),
    );
    this.#ofBox = boxes.map(({ fence }) => fence);
    this.#boxes = boxes.length === 0 ? null : new Flatbush(boxes.length);
    for (const { fence, west, east } of boxes) {
      this.#boxes?.add(west, fence.area.bounds.south, east, fence.area.bounds.north);
    }
    this.#boxes?.finish();
  }

  get(id: number): Fence | undefined {
    return this.#fences.get(id);
  }

  get size(): number {
    return this.#fences.size;
  }

  ids(): IterableIterator<number> {
    return this.#fences.keys();
  }

  /** Meters around a place in which there is no edge of these, at least; less than the true figure, and at most 20 km. */
  edgeDistance(at: LatLon, follows: (fenceId: number) => boolean): number {
    if (this.#boxes === null) return Number.POSITIVE_INFINITY;
    if (Math.abs(at.lat) > POLAR) return 0;
    const { east, north } = scaleAt(at.lat);
    let least = 0;
    for (const half of LOOKS) {
      least = half * north;
      let isFound = false;
      const wide = (half * north) / east;
      for (const [from, to] of boxesOf(at.lon - wide, at.lon + wide)) {
        for (const box of this.#boxes.search(from, at.lat - half, to, at.lat + half)) {
          const { area, id } = this.#ofBox[box] as Fence;
          if (!follows(id)) continue;
          isFound = true;
          least = Math.min(least, Math.abs(area.signedDistance(at)));
        }
      }
      if (isFound) break;
    }
    return least * SURE;
  }

  /** Whether a segment within a box may touch one of these; always of a box that is half of the Earth wide. */
  touches({ east, north, south, west }: Box, follows: (fenceId: number) => boolean): boolean {
    if (east - west >= 180) return true;
    const corner = (lat: number, lon: number): LatLon => ({ lat: degrees(lat), lon: degrees(lon) });
    return this.near(corner(south, west), corner(north, east)).some(({ id }) => follows(id));
  }

  /** Those that a segment, or a point, may touch; one may come twice. */
  near(from: LatLon, to: LatLon = from): readonly Fence[] {
    if (this.#boxes === null) return [];
    const lon = near(to.lon, from.lon);
    const [south, north] = [Math.min(from.lat, to.lat), Math.max(from.lat, to.lat)];
    const found: Fence[] = [];
    for (const [west, east] of boxesOf(Math.min(from.lon, lon), Math.max(from.lon, lon))) {
      for (const box of this.#boxes.search(west, south, east, north)) found.push(this.#ofBox[box] as Fence);
    }
    return found;
  }
}

/** Half of the squares in which edges are looked for, in degrees of latitude; the last one is some 20 km. */
const LOOKS = [0.01, 0.04, 0.18];
/** Distances far from an edge are less exact, and a square of degrees isn't one of meters. */
const SURE = 0.9;
/** Where meridians are too close together for that. */
const POLAR = 85;

/** Longitudes as stretches between -180 and 180. */
function boxesOf(west: number, east: number): readonly (readonly [number, number])[] {
  if (east - west >= 360) return [[-180, 180]];
  const turn = west >= 180 ? 360 : west < -180 ? -360 : 0;
  const [from, to] = [west - turn, east - turn];
  if (to <= 180) return [[from, to]];
  return [
    [from, 180],
    [-180, to - 360],
  ];
}
