/**
 * Driven roads are stored as cells of a worldwide Web Mercator grid with three levels: fine for town streets, coarse
 * for a continent. A cell exists because a vehicle drove through it, no matter how often, so the amount of data
 * depends on the length of the roads, not the number of positions.
 */
export interface Level {
  /** The world is 2^zoom cells wide. */
  readonly zoom: number;
  /** The lowest tile zoom drawn from this level. */
  readonly fromTileZoom: number;
}

/** The finest first: cells of 76 m, 611 m and 4.9 km at the equator. */
export const LEVELS: readonly Level[] = [
  { zoom: 19, fromTileZoom: 10 },
  { zoom: 16, fromTileZoom: 7 },
  { zoom: 13, fromTileZoom: 0 },
];

/** Cells are stored in squares of 2^7 by 2^7 cells: a square is the tile 7 zoom levels below its cells. */
export const SQUARE_ZOOM = 7;
export const SQUARE = 2 ** SQUARE_ZOOM;

export const levelOfTile = (tileZoom: number): Level =>
  LEVELS.find(({ fromTileZoom }) => tileZoom >= fromTileZoom) as Level;

/** The world as 0…1, x to the east and y to the south. */
export const worldX = (lon: number): number => (lon + 180) / 360;
export function worldY(lat: number): number {
  const sin = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI);
}

/** The limit of the projection, in degrees. */
export const MAX_LAT = 85.05;

/** A driven cell: the mean position, the last day, and the neighbors that vehicles continued to or came from. */
export interface Cell {
  /** Within the cell, 0…1. */
  readonly x: number;
  readonly y: number;
  /** How many drives the mean includes, up to `MOST_WEIGHT`. */
  readonly weight: number;
  /** Days since 1970-01-01, UTC. */
  readonly day: number;
  /** A bit for each of `NEIGHBOURS`. */
  readonly links: number;
}

export const MOST_WEIGHT = 8;

/** Opposite neighbors are four apart. */
export const NEIGHBOURS: readonly (readonly [dx: number, dy: number])[] = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
];

/** Cells of one level by `cellKey`. */
export type Cells = Map<number, Cell>;

/** Unique up to zoom 26. */
export const cellKey = (x: number, y: number): number => y * 2 ** 26 + x;
export const cellX = (key: number): number => key % 2 ** 26;
export const cellY = (key: number): number => Math.floor(key / 2 ** 26);

/** Merges two records of one cell. */
export function mergeCell(known: Cell | undefined, more: Cell): Cell {
  if (!known) return more;
  const weight = known.weight + more.weight;
  return {
    x: (known.x * known.weight + more.x * more.weight) / weight,
    y: (known.y * known.weight + more.y * more.weight) / weight,
    weight: Math.min(MOST_WEIGHT, weight),
    day: Math.max(known.day, more.day),
    links: known.links | more.links,
  };
}
