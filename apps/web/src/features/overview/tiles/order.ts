import { ALL_TILES, type AnyTile } from '@milepost/contract';

/** The tiles that the user chose, in their order; all tiles if they never chose. */
export const shownTiles = (chosen: readonly AnyTile[] | null): readonly AnyTile[] => chosen ?? ALL_TILES;

export const hiddenTiles = (shown: readonly AnyTile[]): AnyTile[] => ALL_TILES.filter(tile => !shown.includes(tile));

/** Moves a tile by some positions; it stops at the ends. */
export function moved(shown: readonly AnyTile[], tile: AnyTile, by: number): readonly AnyTile[] {
  const at = shown.indexOf(tile);
  const to = Math.max(0, Math.min(shown.length - 1, at + by));
  if (at < 0 || at === to) return shown;
  const others = shown.filter(one => one !== tile);
  return [...others.slice(0, to), tile, ...others.slice(to)];
}

/** Columns that fill the rows best: as few rows as `most` columns need, so that no row is much shorter than the others. */
export const columnsOf = (count: number, most: number): number =>
  Math.ceil(count / Math.max(1, Math.ceil(count / most)));
