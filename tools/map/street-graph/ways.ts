import type { Inputs } from '../inputs.ts';
import { type Point, realWorldTiles, SHAPES } from '../mvt-fixtures.ts';

/** The side of the whole world in units: tiles of zoom 13, 4096 units each. One unit is about 0.9 m in Chicago. */
export const WORLD_UNITS = 2 ** 13 * 4096;
const TILE_UNITS = 4096;

/** In units of the world, y down, whole numbers. */
export type Place = readonly [x: number, y: number];

export interface Way {
  readonly places: readonly Place[];
  readonly kmh: number;
  readonly roadClass: string;
  readonly oneway: boolean;
  /** 0 at ground level; ways of different levels do not meet where they cross. */
  readonly level: number;
}

/** Names have their own lines in the tiles, near the ways that they name. */
export interface NameLine {
  readonly places: readonly Place[];
  readonly name: string;
}

/** Typical speed by road class, because the tiles do not have speed limits. Other classes are not for trucks. */
const KMH: Readonly<Record<string, number>> = {
  motorway: 90,
  motorway_link: 50,
  trunk: 70,
  primary: 55,
  secondary: 50,
  tertiary: 45,
  street: 35,
  street_limited: 30,
  link: 40,
  service: 15,
};

/** The ways and name lines of all tiles, clipped at the tiles' edges so that nothing is duplicated. */
export function readWays(inputs: Inputs): { readonly ways: Way[]; readonly names: NameLine[] } {
  const ways: Way[] = [];
  const names: NameLine[] = [];
  for (const tile of realWorldTiles(inputs, 'chicago')) {
    for (const layer of ['road', 'road_label']) {
      for (const feature of tile.features(layer)) {
        const { class: roadClass, oneway, structure, layer: level, name } = feature.properties;
        const kmh = KMH[`${roadClass}`];
        if (feature.type !== SHAPES.line || kmh === undefined) continue;
        for (const line of feature.loadGeometry()) {
          for (const piece of insideTile(line)) {
            const places = piece.map(({ x, y }): Place => [tile.x * TILE_UNITS + x, tile.y * TILE_UNITS + y]);
            if (layer === 'road_label') names.push({ places, name: `${name ?? ''}` });
            else {
              const height = structure === 'bridge' ? 10 : structure === 'tunnel' ? -10 : 0;
              ways.push({
                places,
                kmh,
                roadClass: `${roadClass}`,
                oneway: `${oneway}` === 'true',
                level: height + (Number(level) || 0),
              });
            }
          }
        }
      }
    }
  }
  return { ways, names };
}

/** The pieces of a line within its tile; the margin around it belongs to the neighbors. */
function* insideTile(line: readonly Point[]): Generator<Point[]> {
  let piece: Point[] = [];
  for (const [index, to] of line.entries()) {
    const from = line[index - 1];
    if (!from) continue;
    const clipped = clipSegment(from, to);
    const end = piece.at(-1);
    if (clipped && end && samePoint(end, clipped[0])) {
      if (!samePoint(end, clipped[1])) piece.push(clipped[1]);
      continue;
    }
    if (piece.length > 1) yield piece;
    piece = clipped ? (samePoint(...clipped) ? [clipped[0]] : [...clipped]) : [];
  }
  if (piece.length > 1) yield piece;
}

const samePoint = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;

/** Liang–Barsky: the part of a segment within the tile, rounded to units, or null. */
function clipSegment(from: Point, to: Point): [Point, Point] | null {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  let [enter, leave] = [0, 1];
  const edges = [
    [-dx, from.x],
    [dx, TILE_UNITS - from.x],
    [-dy, from.y],
    [dy, TILE_UNITS - from.y],
  ] as const;
  for (const [outward, room] of edges) {
    if (outward === 0 && room < 0) return null;
    if (outward < 0) enter = Math.max(enter, room / outward);
    if (outward > 0) leave = Math.min(leave, room / outward);
  }
  if (enter > leave) return null;
  const at = (part: number): Point => ({ x: Math.round(from.x + part * dx), y: Math.round(from.y + part * dy) });
  return [at(enter), at(leave)];
}
