import { OVERVIEW_TILES, type OverviewTile } from '@milepost/contract';

/** The tiles that the user chose, in their order; all tiles if they never chose. */
export const shownTiles = (chosen: readonly OverviewTile[] | null): readonly OverviewTile[] => chosen ?? OVERVIEW_TILES;

export const hiddenTiles = (shown: readonly OverviewTile[]): OverviewTile[] =>
  OVERVIEW_TILES.filter(tile => !shown.includes(tile));

/** Moves a tile by some positions; it stops at the ends. */
export function moved(shown: readonly OverviewTile[], tile: OverviewTile, by: number): readonly OverviewTile[] {
  const at = shown.indexOf(tile);
  const to = Math.max(0, Math.min(shown.length - 1, at + by));
  if (at < 0 || at === to) return shown;
  const others = shown.filter(one => one !== tile);
  return [...others.slice(0, to), tile, ...others.slice(to)];
}
