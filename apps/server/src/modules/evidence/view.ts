import { MAX_LAT, worldX, worldY } from '../roads/grid.ts';

/** A place on the page, in points. */
export type At = readonly [x: number, y: number];

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A tile, and where its square lies on the page. */
export interface PlacedTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly top: number;
  readonly size: number;
}

const EARTH_M = 40_075_016.686;
const PADDING = 34;
/** A vehicle that stood all the time is shown with its surroundings. */
const LEAST_M = 700;

/**
 * What part of the world (Web Mercator, the world being 1 wide) a box of the page shows. Longitudes continue across the
 * 180th meridian: those on the other side of `middle` are counted beyond it.
 */
export class View {
  readonly box: Box;
  /** Points of the page for the width of the world. */
  readonly scale: number;
  readonly #left: number;
  readonly #top: number;
  readonly #middle: number;

  constructor(box: Box, places: readonly { readonly lat: number; readonly lon: number }[]) {
    const [first] = places;
    this.box = box;
    this.#middle = first ? worldX(first.lon) : 0.5;
    let [west, east, north, south] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { lat, lon } of places) {
      const [x, y] = this.#world(lat, lon);
      [west, east] = [Math.min(west, x), Math.max(east, x)];
      [north, south] = [Math.min(north, y), Math.max(south, y)];
    }
    if (places.length === 0) [west, east, north, south] = [0, 1, 0.2, 0.7];
    const least = LEAST_M / (EARTH_M * Math.cos(((first?.lat ?? 0) * Math.PI) / 180));
    const [inWidth, inHeight] = [box.width - 2 * PADDING, box.height - 2 * PADDING];
    this.scale = Math.min(inWidth / Math.max(east - west, least), inHeight / Math.max(south - north, least));
    this.#left = (west + east) / 2 - box.width / 2 / this.scale;
    this.#top = (north + south) / 2 - box.height / 2 / this.scale;
  }

  /** As maps count it, with tiles of 512 pixels. */
  get zoom(): number {
    return Math.log2(this.scale / 512);
  }

  at(lat: number, lon: number): At {
    const [x, y] = this.#world(lat, lon);
    return [this.box.left + (x - this.#left) * this.scale, this.box.top + (y - this.#top) * this.scale];
  }

  /** The length of a point of the page on the ground, in the middle of the box, in meters. */
  get metresPerPoint(): number {
    const y = this.#top + this.box.height / 2 / this.scale;
    const latitude = Math.atan(Math.sinh(Math.PI * (1 - 2 * y)));
    return (EARTH_M * Math.cos(latitude)) / this.scale;
  }

  /** The tiles of a zoom that the box shows. */
  tiles(z: number): PlacedTile[] {
    const count = 2 ** z;
    const size = this.scale / count;
    const [x0, x1] = [this.#left * count, (this.#left + this.box.width / this.scale) * count];
    const [y0, y1] = [this.#top * count, (this.#top + this.box.height / this.scale) * count];
    const tiles: PlacedTile[] = [];
    for (let y = Math.max(0, Math.floor(y0)); y < Math.min(count, y1); y++) {
      for (let x = Math.floor(x0); x < x1; x++) {
        const [left, top] = [this.box.left + (x - x0) * size, this.box.top + (y - y0) * size];
        tiles.push({ z, x: ((x % count) + count) % count, y, left, top, size });
      }
    }
    return tiles;
  }

  #world(lat: number, lon: number): [number, number] {
    const x = worldX(lon);
    return [x - Math.round(x - this.#middle), worldY(Math.max(-MAX_LAT, Math.min(MAX_LAT, lat)))];
  }
}
