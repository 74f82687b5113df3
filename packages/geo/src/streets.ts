import { type Metres, metres } from '@milepost/units';
import type { LatLon } from './fix.ts';
import { EARTH_RADIUS } from './sphere.ts';
import { shared, sharedOf, type TextList, textAt, textList } from './text-list.ts';

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

/** Streets by where they lie, in memory that threads can share. */
export interface StreetIndex {
  readonly names: TextList;
  /** Four numbers for each piece, lon lat lon lat in millionths of a degree; no piece is longer than a cell. */
  readonly pieces: Int32Array;
  readonly nameOfPiece: Uint32Array;
  /** The cells that have any, each in the first free slot from its own on. */
  readonly cells: Float64Array;
  /** Where the pieces of the cell in a slot begin in `piecesOfCell`, and where they end. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
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
  return {
    names: textList(file.names),
    ...grid(sharedOf(Int32Array, pieces)),
    nameOfPiece: sharedOf(Uint32Array, nameOfPiece),
  };
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

function* cellsOf(pieces: Int32Array, piece: number): Generator<{ readonly x: number; readonly y: number }> {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = pieces.subarray(piece * 4, piece * 4 + 4);
  for (let y = cellOf(Math.min(y1, y2)); y <= cellOf(Math.max(y1, y2)); y++) {
    for (let x = cellOf(Math.min(x1, x2)); x <= cellOf(Math.max(x1, x2)); x++) yield { x, y };
  }
}

/** Where a slot has no cell. */
const NO_CELL = Number.MIN_SAFE_INTEGER;

/** The slot of a cell, or the free one that it would get. */
function slotOf(cells: Float64Array, x: number, y: number): number {
  const key = cellKey(x, y);
  const mask = cells.length - 1;
  const mixed = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b);
  let slot = (mixed ^ (mixed >>> 15)) & mask;
  while (cells[slot] !== key && cells[slot] !== NO_CELL) slot = (slot + 1) & mask;
  return slot;
}

function grid(pieces: Int32Array): Pick<StreetIndex, 'pieces' | 'cells' | 'starts' | 'ends' | 'piecesOfCell'> {
  const members = new Map<number, { readonly x: number; readonly y: number; readonly pieces: number[] }>();
  for (let piece = 0; piece * 4 < pieces.length; piece++) {
    for (const { x, y } of cellsOf(pieces, piece)) {
      const cell = members.get(cellKey(x, y));
      if (cell) cell.pieces.push(piece);
      else members.set(cellKey(x, y), { x, y, pieces: [piece] });
    }
  }
  // Half of the slots stay free, so that a cell is found in one or two steps.
  const slots = 2 ** Math.ceil(Math.log2(2 * members.size + 1));
  const cells = shared(Float64Array, slots).fill(NO_CELL);
  const [starts, ends] = [shared(Uint32Array, slots), shared(Uint32Array, slots)];
  const flat: number[] = [];
  for (const [key, { pieces: inside, x, y }] of members) {
    const slot = slotOf(cells, x, y);
    cells[slot] = key;
    starts[slot] = flat.length;
    for (const piece of inside) flat.push(piece);
    ends[slot] = flat.length;
  }
  return { pieces, cells, starts, ends, piecesOfCell: sharedOf(Uint32Array, flat) };
}

/** The named street that a point is on: the nearest one within 60 m, or null. */
export function nearestStreet(
  index: StreetIndex,
  at: LatLon,
  within: Metres = ON_STREET,
): { readonly name: string; readonly distance: Metres } | null {
  const piece = nearestPiece(index, at.lat, at.lon, within);
  const name = textAt(index.names, index.nameOfPiece[piece] ?? -1);
  if (name === undefined) return null;
  const [lon, lat] = [at.lon * PER_DEGREE, at.lat * PER_DEGREE];
  return { name, distance: metres(Math.sqrt(squaredDistance(index.pieces, piece, lon, lat, eastScaleAt(at.lat)))) };
}

/** The same as a place in `names`; -1 for none. */
export const findStreet = (index: StreetIndex, lat: number, lon: number): number =>
  index.nameOfPiece[nearestPiece(index, lat, lon, ON_STREET)] ?? -1;

const eastScaleAt = (lat: number): number => METRES_PER_UNIT * Math.max(0.01, Math.cos((lat * Math.PI) / 180));

function nearestPiece(index: StreetIndex, degreesLat: number, degreesLon: number, within: number): number {
  const { cells, ends, pieces, piecesOfCell, starts } = index;
  const [lon, lat] = [degreesLon * PER_DEGREE, degreesLat * PER_DEGREE];
  const eastScale = eastScaleAt(degreesLat);
  const [reachX, reachY] = [within / eastScale, within / METRES_PER_UNIT];
  let nearest = -1;
  let least = within * within;
  for (let y = cellOf(lat - reachY); y <= cellOf(lat + reachY); y++) {
    for (let x = cellOf(lon - reachX); x <= cellOf(lon + reachX); x++) {
      const slot = slotOf(cells, x, y);
      // Those of a free slot are none.
      for (let i = starts[slot] as number; i < (ends[slot] as number); i++) {
        const piece = piecesOfCell[i] as number;
        const squared = squaredDistance(pieces, piece, lon, lat, eastScale);
        if (squared <= least) {
          least = squared;
          nearest = piece;
        }
      }
    }
  }
  return nearest;
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
