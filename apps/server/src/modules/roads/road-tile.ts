import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { pointsToKeep } from '@milepost/geo';
import { type Cells, type Level, SQUARE_ZOOM } from './grid.ts';
import { type Line, roadLines } from './lines.ts';

export interface TileAddress {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

const EXTENT = 4096;
/** Lines extend a little past the edge of their tile, so that no seam shows. */
const BUFFER = 64;
/** Half a pixel of a tile 512 pixels wide. */
const TOLERANCE = 4;

export const ROAD_LAYER = 'fleet';

/** The squares of a level that a tile needs, its edge included. */
export function squaresOf({ zoom }: Level, { z, x, y }: TileAddress) {
  const scale = 2 ** (zoom - SQUARE_ZOOM - z);
  // A road that leaves the tile is drawn to its next cell outside.
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
  const lines = roadLines(cells)
    .flatMap(line => inside(line.map(([cx, cy]) => [cx * scale - x * EXTENT, cy * scale - y * EXTENT] as const)))
    .map(line =>
      pointsToKeep(line, TOLERANCE).map(i => {
        const [px, py] = line[i] as Line[number];
        return [Math.round(px), Math.round(py)];
      }),
    );
  if (lines.length === 0) return Buffer.alloc(0);
  const layer = { features: [{ type: 2, geometry: lines, tags: {} }] };
  const tile = fromGeojsonVt({ [ROAD_LAYER]: layer } as never, { version: 2, extent: EXTENT });
  return Buffer.from(tile.buffer, tile.byteOffset, tile.byteLength);
}

/** The parts of a line in the tile, each with the point before and after it. */
function inside(line: Line): Line[] {
  const isIn = (at: Line[number] | undefined): boolean =>
    at?.every(each => each >= -BUFFER && each <= EXTENT + BUFFER) ?? false;
  const parts: Line[number][][] = [];
  let part: Line[number][] = [];
  for (const [i, at] of line.entries()) {
    if (isIn(at) || isIn(line[i - 1]) || isIn(line[i + 1])) part.push(at);
    else if (part.length > 0) {
      parts.push(part);
      part = [];
    }
  }
  return [...parts, part].filter(({ length }) => length > 1);
}
