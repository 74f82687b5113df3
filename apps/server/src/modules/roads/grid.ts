/**
 * Driven roads are kept as cells of a grid over the world in Web Mercator, on three levels: fine for the streets of a
 * town, coarse for a continent. A cell is there because a vehicle drove through it, however often; so the amount
 * follows the length of the roads, and not the number of positions.
 */
export interface Level {
  /** The world is 2^zoom cells wide. */
  readonly zoom: number;
  /** Tiles from this zoom on are drawn from this level. */
  readonly fromTileZoom: number;
}

/** The finest first: cells of 76 m, 611 m and 4.9 km at the equator. */
export const LEVELS: readonly Level[] = [
  { zoom: 19, fromTileZoom: 10 },
  { zoom: 16, fromTileZoom: 7 },
  { zoom: 13, fromTileZoom: 0 },
];

/** Cells are stored in squares of so many to a side, which are tiles of the zoom that many levels below. */
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

/** Beyond, the projection has no place. */
export const MAX_LAT = 85.05;

/** A cell that was driven through: the mean of where, the last day, and to which neighbors it went on or came from. */
export interface Cell {
  /** Within the cell, 0…1. */
  readonly x: number;
  readonly y: number;
  /** How many drives the mean is of, up to `MOST_WEIGHT`. */
  readonly weight: number;
  /** Days since 1970-01-01, UTC. */
  readonly day: number;
  /** A bit for each of `NEIGHBOURS`. */
  readonly links: number;
}

export const MOST_WEIGHT = 8;

/** Opposite ones are four apart. */
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

/** Exact to zoom 26. */
export const cellKey = (x: number, y: number): number => y * 2 ** 26 + x;
export const cellX = (key: number): number => key % 2 ** 26;
export const cellY = (key: number): number => Math.floor(key / 2 ** 26);

/** Two records of one cell as one. */
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
