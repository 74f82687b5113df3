import { type Degrees, degrees, type Metres, metres, toKilometres } from '@milepost/units';
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

/** The points to search, each named by its place in these. */
export interface Pool {
  readonly lat: ArrayLike<number>;
  readonly lon: ArrayLike<number>;
  readonly tree: KDBush;
  /** How many of the nearest points are wanted, */
  readonly most: number;
  /** and how far away they may be. */
  readonly within: Metres;
}

/** The points that can be among the nearest somewhere in a tile, and their unit vectors, three numbers each. */
interface Tile {
  readonly ids: Uint32Array;
  readonly vectors: Float64Array;
}

/**
 * The nearest points, as a search of the tree finds them, but many times faster where it was searched nearby before: a
 * tile remembers every point that can be among the nearest anywhere in it. Each search overwrites what the last one found.
 */
export class NearestInTiles {
  readonly #pool: Pool;
  readonly #tiles = new Map<number, Tile>();
  #lastKey = Number.NaN;
  #last: Tile = { ids: new Uint32Array(), vectors: new Float64Array() };
  /** What was found, nearest first. */
  readonly ids: Uint32Array;
  /** The squares of the straight lines to these, on a sphere of radius 1. */
  readonly squares: Float64Array;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.ids = new Uint32Array(pool.most);
    this.squares = new Float64Array(pool.most);
  }

  /** Returns how many were found. */
  find(lat: number, lon: number): number {
    const { ids, vectors } = this.#tileAt(Math.floor(lat * PER_DEGREE), Math.floor(lon * PER_DEGREE));
    const { most, within } = this.#pool;
    const { ids: found, squares } = this;
    const [up, east] = [toRadians(lat), toRadians(lon)];
    const level = Math.cos(up);
    const [x, y, z] = [level * Math.cos(east), level * Math.sin(east), Math.sin(up)];
    const farthest = (2 * Math.sin(Math.min(Math.PI, within / EARTH_RADIUS) / 2)) ** 2;
    let count = 0;
    for (let i = 0; i < ids.length; i++) {
      const dx = (vectors[3 * i] as number) - x;
      const dy = (vectors[3 * i + 1] as number) - y;
      const dz = (vectors[3 * i + 2] as number) - z;
      const square = dx * dx + dy * dy + dz * dz;
      if (square > farthest || (count === most && square >= (squares[most - 1] as number))) continue;
      let at = Math.min(count, most - 1);
      for (; at > 0 && (squares[at - 1] as number) > square; at--) {
        squares[at] = squares[at - 1] as number;
        found[at] = found[at - 1] as number;
      }
      squares[at] = square;
      found[at] = ids[i] as number;
      if (count < most) count++;
    }
    return count;
  }

  #tileAt(row: number, column: number): Tile {
    const key = row * TILES_AROUND + column;
    // A vehicle's fixes follow each other.
    if (key === this.#lastKey) return this.#last;
    let tile = this.#tiles.get(key);
    if (!tile) {
      // Clearing them all costs less than tracking what was used last.
      if (this.#tiles.size >= REMEMBERED) this.#tiles.clear();
      tile = this.#search(row, column);
      this.#tiles.set(key, tile);
    }
    this.#lastKey = key;
    this.#last = tile;
    return tile;
  }

  /**
   * If the tile has the radius r, and the farthest of the points nearest to its center is at the distance d, the nearest
   * points of any place in the tile are within d + r of that place, so within d + 2r of the center.
   */
  #search(row: number, column: number): Tile {
    const { lat, lon, most, tree, within } = this.#pool;
    const at = (id: number): LatLon => ({ lat: lat[id] as Degrees, lon: lon[id] as Degrees });
    const center = { lat: degrees((row + 0.5) / PER_DEGREE), lon: degrees((column + 0.5) / PER_DEGREE) };
    const corners = [row, row + 1].map(y => ({ lat: degrees(y / PER_DEGREE), lon: degrees(column / PER_DEGREE) }));
    const radius = Math.max(...corners.map(corner => distanceMetres(center, corner)));
    const reach = metres((within + radius) * MARGIN);
    const first = around(tree, center.lon, center.lat, most, toKilometres(reach));
    const last = first[most - 1];
    const wide = last === undefined ? reach : (distanceMetres(center, at(last)) + 2 * radius) * MARGIN;
    const ids =
      last === undefined
        ? first
        : around(tree, center.lon, center.lat, Number.POSITIVE_INFINITY, toKilometres(metres(Math.min(reach, wide))));
    return { ids: Uint32Array.from(ids), vectors: Float64Array.from(ids.flatMap(id => vectorOf(at(id)))) };
  }
}

/** The distance along the sphere that the square of a straight line means. */
export const distanceOfSquare = (square: number): number =>
  2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(square) / 2));

const toRadians = (angle: number): number => (angle * Math.PI) / 180;

function vectorOf({ lat, lon }: LatLon): [number, number, number] {
  const [up, east] = [toRadians(lat), toRadians(lon)];
  const level = Math.cos(up);
  return [level * Math.cos(east), level * Math.sin(east), Math.sin(up)];
}
