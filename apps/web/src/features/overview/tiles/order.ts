import { OVERVIEW_TILES, type OverviewTile } from '@milepost/contract';

/** The user's tiles in their order; newer tiles of the product come last. */
export const shownTiles = (chosen: readonly OverviewTile[] | null): readonly OverviewTile[] => chosen ?? OVERVIEW_TILES;

export const hiddenTiles = (shown: readonly OverviewTile[]): OverviewTile[] =>
  OVERVIEW_TILES.filter(tile => !shown.includes(tile));

/** A tile some places on; at the ends it stays. */
export function moved(shown: readonly OverviewTile[], tile: OverviewTile, by: number): readonly OverviewTile[] {
  const at = shown.indexOf(tile);
  const to = Math.max(0, Math.min(shown.length - 1, at + by));
  if (at < 0 || at === to) return shown;
  const others = shown.filter(one => one !== tile);
  return [...others.slice(0, to), tile, ...others.slice(to)];
}
