import { type Metres, metres } from '@milepost/units';
import type { LatLon } from './fix.ts';
import { EARTH_RADIUS } from './sphere.ts';

/** A piece of a street as a line of points. */
export interface Street {
  readonly name: string;
  readonly points: readonly LatLon[];
}

/**
 * Stored format of streets (JSON, compressed by the caller): each name once, and lines `[name, lon, lat, Δlon, Δlat,
 * Δlon, Δlat, …]` with the name's index and coordinates in millionths of a degree, the first point absolute and each of
 * the others as the difference from the previous point.
 */
export interface StreetFile {
  readonly format: 'milepost-streets-1';
  readonly names: readonly string[];
  readonly lines: readonly (readonly number[])[];
}

const FORMAT: StreetFile['format'] = 'milepost-streets-1';
const PER_DEGREE = 1_000_000;
/** Cells of 0.001°: 111 m from south to north, and from west to east at the equator. */
const CELL = 1000;
const CELLS_AROUND = 524_288;
const METRES_PER_UNIT = (EARTH_RADIUS * Math.PI) / 180 / PER_DEGREE;
/** A point farther from a street than this is not on it: it may be in an alley or a yard, or be scatter. */
const ON_STREET = metres(60);

export interface StreetIndex {
  readonly names: readonly string[];
  /** Four numbers for each piece, lon lat lon lat in millionths of a degree; no piece is longer than a cell. */
  readonly pieces: Int32Array;
  readonly nameOfPiece: Uint32Array;
  /** The range of each cell's pieces in `piecesOfCell`, by cell. */
  readonly cells: ReadonlyMap<number, { readonly start: number; readonly end: number }>;
  readonly piecesOfCell: Uint32Array;
}

export function encodeStreets(streets: Iterable<Street>): StreetFile {
  const indexOfName = new Map<string, number>();
  const lines: number[][] = [];
  for (const { name, points } of streets) {
    if (name === '' || points.length < 2) continue;
    const index = indexOfName.get(name) ?? indexOfName.size;
    indexOfName.set(name, index);
    const line = [index];
    let [lon, lat] = [0, 0];
    for (const point of points) {
      const [x, y] = [Math.round(point.lon * PER_DEGREE), Math.round(point.lat * PER_DEGREE)];
      line.push(x - lon, y - lat);
      [lon, lat] = [x, y];
    }
    lines.push(line);
  }
  return { format: FORMAT, names: [...indexOfName.keys()], lines };
}

/** Throws for any other format, since the file ships with the program. */
export function buildStreetIndex(file: StreetFile): StreetIndex {
  if (file.format !== FORMAT) throw new Error(`The street file is ${String(file.format)}, not ${FORMAT}.`);
  const pieces: number[] = [];
  const nameOfPiece: number[] = [];
  for (const line of file.lines) {
    const name = line[0] ?? -1;
    if (file.names[name] === undefined) throw new Error('The street file names a street that it does not have.');
    addPieces(line, name, pieces, nameOfPiece);
  }
  return { names: file.names, ...grid(Int32Array.from(pieces)), nameOfPiece: Uint32Array.from(nameOfPiece) };
}

function addPieces(line: readonly number[], name: number, pieces: number[], nameOfPiece: number[]): void {
  let lon = line[1] ?? 0;
  let lat = line[2] ?? 0;
  for (let i = 3; i + 1 < line.length; i += 2) {
    const [dLon, dLat] = [line[i] ?? 0, line[i + 1] ?? 0];
    const count = Math.max(1, Math.ceil(Math.max(Math.abs(dLon), Math.abs(dLat)) / CELL));
    for (let k = 0; k < count; k++) {
      const [from, to] = [k / count, (k + 1) / count];
      pieces.push(
        Math.round(lon + dLon * from),
        Math.round(lat + dLat * from),
        Math.round(lon + dLon * to),
        Math.round(lat + dLat * to),
      );
      nameOfPiece.push(name);
    }
    lon += dLon;
    lat += dLat;
  }
}

const cellKey = (x: number, y: number): number => y * CELLS_AROUND + x;
const cellOf = (unit: number): number => Math.floor(unit / CELL);

function* cellsOf(pieces: Int32Array, piece: number): Generator<number> {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = pieces.subarray(piece * 4, piece * 4 + 4);
  for (let y = cellOf(Math.min(y1, y2)); y <= cellOf(Math.max(y1, y2)); y++) {
    for (let x = cellOf(Math.min(x1, x2)); x <= cellOf(Math.max(x1, x2)); x++) yield cellKey(x, y);
  }
}

function grid(pieces: Int32Array): Pick<StreetIndex, 'pieces' | 'cells' | 'piecesOfCell'> {
  const members = new Map<number, number[]>();
  for (let piece = 0; piece * 4 < pieces.length; piece++) {
    for (const key of cellsOf(pieces, piece)) {
      const cell = members.get(key);
      if (cell) cell.push(piece);
      else members.set(key, [piece]);
    }
  }
  const cells = new Map<number, { start: number; end: number }>();
  const flat: number[] = [];
  for (const [key, cell] of members) {
    const start = flat.length;
    for (const piece of cell) flat.push(piece);
    cells.set(key, { start, end: flat.length });
  }
  return { pieces, cells, piecesOfCell: Uint32Array.from(flat) };
}

/** The named street that a point is on: the nearest one within 60 m, or null. */
export function nearestStreet(
  index: StreetIndex,
  at: LatLon,
  within: Metres = ON_STREET,
): { readonly name: string; readonly distance: Metres } | null {
  const [lon, lat] = [at.lon * PER_DEGREE, at.lat * PER_DEGREE];
  const eastScale = METRES_PER_UNIT * Math.max(0.01, Math.cos((at.lat * Math.PI) / 180));
  const [reachX, reachY] = [within / eastScale, within / METRES_PER_UNIT];
  let nearest = -1;
  let least = within * within;
  for (let y = cellOf(lat - reachY); y <= cellOf(lat + reachY); y++) {
    for (let x = cellOf(lon - reachX); x <= cellOf(lon + reachX); x++) {
      const cell = index.cells.get(cellKey(x, y));
      if (!cell) continue;
      for (let i = cell.start; i < cell.end; i++) {
        const piece = index.piecesOfCell[i] ?? 0;
        const squared = squaredDistance(index.pieces, piece, lon, lat, eastScale);
        if (squared <= least) {
          least = squared;
          nearest = piece;
        }
      }
    }
  }
  const name = index.names[index.nameOfPiece[nearest] ?? -1];
  return name === undefined ? null : { name, distance: metres(Math.sqrt(least)) };
}

/** From a point to a piece, on the tangent plane at the point: accurate enough for 100 m. */
function squaredDistance(pieces: Int32Array, piece: number, lon: number, lat: number, eastScale: number): number {
  const at = piece * 4;
  const x1 = ((pieces[at] ?? 0) - lon) * eastScale;
  const y1 = ((pieces[at + 1] ?? 0) - lat) * METRES_PER_UNIT;
  const dx = ((pieces[at + 2] ?? 0) - lon) * eastScale - x1;
  const dy = ((pieces[at + 3] ?? 0) - lat) * METRES_PER_UNIT - y1;
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, -(x1 * dx + y1 * dy) / length));
  const [x, y] = [x1 + along * dx, y1 + along * dy];
  return x * x + y * y;
}
