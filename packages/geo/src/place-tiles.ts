import { type Metres, metres, toKilometres } from '@milepost/units';
import { around } from 'geokdbush';
import type KDBush from 'kdbush';
import type { LatLon } from './fix.ts';
import { distanceMetres, EARTH_RADIUS } from './sphere.ts';

/** Tiles of 0.05°: 5.6 km from south to north. */
const PER_DEGREE = 20;
const TILES_AROUND = 360 * PER_DEGREE;
/** A region as large as Texas; forgotten tiles are searched again. */
const REMEMBERED = 10_000;
/** The search of the tree uses a slightly different radius of the Earth. */
const MARGIN = 1.001;

/** The points to search. */
export interface Pool<P extends LatLon> {
  readonly points: readonly P[];
  readonly tree: KDBush;
  /** How many of the nearest points are wanted, */
  readonly most: number;
  /** and how far away they may be. */
  readonly within: Metres;
}

/** The points that can be among the nearest somewhere in a tile, and their unit vectors, three numbers each. */
interface Tile<P> {
  readonly points: readonly P[];
  readonly vectors: Float64Array;
}

export interface Near<P> {
  readonly point: P;
  readonly distance: number;
}

/**
 * The nearest points, as a search of the tree finds them, but many times faster where it was searched nearby before: a
 * tile remembers every point that can be among the nearest anywhere in it.
 */
export class NearestInTiles<P extends LatLon> {
  readonly #pool: Pool<P>;
  readonly #tiles = new Map<number, Tile<P>>();

  constructor(pool: Pool<P>) {
    this.#pool = pool;
  }

  /** Nearest first. */
  nearest({ lat, lon }: LatLon): Near<P>[] {
    const { points, vectors } = this.#tileAt(Math.floor(lat * PER_DEGREE), Math.floor(lon * PER_DEGREE));
    const { most, within } = this.#pool;
    const [x, y, z] = vectorOf(lat, lon);
    const farthest = (2 * Math.sin(Math.min(Math.PI, within / EARTH_RADIUS) / 2)) ** 2;
    const squares: number[] = [];
    const found: P[] = [];
    for (let i = 0; i < points.length; i++) {
      const [dx, dy, dz] = [
        (vectors[3 * i] as number) - x,
        (vectors[3 * i + 1] as number) - y,
        (vectors[3 * i + 2] as number) - z,
      ];
      const square = dx * dx + dy * dy + dz * dz;
      if (square > farthest || (found.length === most && square >= (squares[most - 1] as number))) continue;
      let at = Math.min(found.length, most - 1);
      for (; at > 0 && (squares[at - 1] as number) > square; at--) {
        squares[at] = squares[at - 1] as number;
        found[at] = found[at - 1] as P;
      }
      squares[at] = square;
      found[at] = points[i] as P;
    }
    return found.map((point, i) => ({
      point,
      distance: 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(squares[i] as number) / 2)),
    }));
  }

  #tileAt(row: number, column: number): Tile<P> {
    const key = row * TILES_AROUND + column;
    const known = this.#tiles.get(key);
    if (known) return known;
    // Clearing them all costs less than tracking what was used last.
    if (this.#tiles.size >= REMEMBERED) this.#tiles.clear();
    const tile = this.#search(row, column);
    this.#tiles.set(key, tile);
    return tile;
  }

  /**
   * If the tile has the radius r, and the farthest of the points nearest to its center is at the distance d, the nearest
   * points of any place in the tile are within d + r of that place, so within d + 2r of the center.
   */
  #search(row: number, column: number): Tile<P> {
    const { most, points, tree, within } = this.#pool;
    const center = { lat: (row + 0.5) / PER_DEGREE, lon: (column + 0.5) / PER_DEGREE } as LatLon;
    const corners = [row, row + 1].map(y => ({ lat: y / PER_DEGREE, lon: column / PER_DEGREE }) as LatLon);
    const radius = Math.max(...corners.map(corner => distanceMetres(center, corner)));
    const reach = metres((within + radius) * MARGIN);
    const first = around(tree, center.lon, center.lat, most, toKilometres(reach));
    const last = points[first[most - 1] ?? -1];
    const wide = last ? Math.min(reach, (distanceMetres(center, last) + 2 * radius) * MARGIN) : reach;
    const ids = last
      ? around(tree, center.lon, center.lat, Number.POSITIVE_INFINITY, toKilometres(metres(wide)))
      : first;
    const all = ids.map(id => points[id] as P);
    return { points: all, vectors: Float64Array.from(all.flatMap(({ lat, lon }) => vectorOf(lat, lon))) };
  }
}

function vectorOf(lat: number, lon: number): [number, number, number] {
  const [up, east] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
  const level = Math.cos(up);
  return [level * Math.cos(east), level * Math.sin(east), Math.sin(up)];
}
