import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { type Cells, type Level, SQUARE_ZOOM } from './grid.ts';
import { type Line, roadLines } from './lines.ts';
import { simplify } from './simplify.ts';

export interface TileAddress {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

const EXTENT = 4096;
/** Lines reach over the edge of their tile by a little, so that no seam shows. */
const BUFFER = 64;
/** A tile is 512 pixels wide: half of one. */
const TOLERANCE = 4;

export const ROAD_LAYER = 'fleet';

/** The squares of a level that a tile needs, its edge included. */
export function squaresOf({ zoom }: Level, { z, x, y }: TileAddress) {
  const scale = 2 ** (zoom - SQUARE_ZOOM - z);
  // A road that leaves the tile is drawn to its next cell.
  const more = Math.max((BUFFER / EXTENT) * scale, 2 / 2 ** SQUARE_ZOOM);
  return {
    fromX: Math.floor(x * scale - more),
    toX: Math.floor((x + 1) * scale + more),
    fromY: Math.floor(y * scale - more),
    toY: Math.floor((y + 1) * scale + more),
  };
}

/** Driven cells as a vector tile with one layer, `fleet`. */
export function roadTile(cells: Cells, { zoom }: Level, { z, x, y }: TileAddress): Buffer {
  const scale = (EXTENT * 2 ** z) / 2 ** zoom;
  const lines = roadLines(cells).flatMap(line => {
    const inTile = simplify(
      line.map(([cx, cy]) => [cx * scale - x * EXTENT, cy * scale - y * EXTENT] as const),
      TOLERANCE,
    );
    return touches(inTile) ? [inTile.map(([px, py]) => [Math.round(px), Math.round(py)])] : [];
  });
  if (lines.length === 0) return Buffer.alloc(0);
  const layer = { features: [{ type: 2, geometry: lines, tags: {} }] };
  const tile = fromGeojsonVt({ [ROAD_LAYER]: layer } as never, { version: 2, extent: EXTENT });
  return Buffer.from(tile.buffer, tile.byteOffset, tile.byteLength);
}

function touches(line: Line): boolean {
  let [west, east, north, south] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of line) {
    west = Math.min(west, x);
    east = Math.max(east, x);
    north = Math.min(north, y);
    south = Math.max(south, y);
  }
  return east >= -BUFFER && west <= EXTENT + BUFFER && south >= -BUFFER && north <= EXTENT + BUFFER;
}
