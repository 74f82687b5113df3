import type { BaseMap } from '@milepost/contract';
import type { Spot } from '../camera.ts';
import { type Area, DEMO_AREAS } from '../style/offline-style.ts';

/** Where the current base map has streets. */
export type StreetCover = 'everywhere' | readonly Area[];

/** Online maps have streets everywhere. A file has them within its bounds. */
export function coverOf(map: BaseMap): StreetCover {
  if (map.kind === 'built-in') return DEMO_AREAS;
  return map.kind === 'file' ? [...DEMO_AREAS, map.bounds] : 'everywhere';
}

/** The zoom for showing one vehicle where the map has streets. */
const STREETS_ZOOM = 14.5;
/**
 * The zoom for showing one vehicle where the map has no streets. Nearby villages still show where it is; closer in, the
 * view could be empty.
 */
const VILLAGES_ZOOM = 10.5;

export const hasStreets = (cover: StreetCover, { lat, lon }: Spot): boolean =>
  cover === 'everywhere' ||
  cover.some(([west, south, east, north]) => lon >= west && lon <= east && lat >= south && lat <= north);

/** How far the camera may zoom in automatically: no closer than the map has detail at these places. */
export const deepestZoom = (cover: StreetCover, ...spots: readonly Spot[]): number =>
  spots.every(spot => hasStreets(cover, spot)) ? STREETS_ZOOM : VILLAGES_ZOOM;
