import type { BaseMap } from '@milepost/contract';
import type { Spot } from '../camera.ts';
import { type Area, DEMO_AREAS } from '../style/offline-style.ts';

/** Where the base map that is drawn has streets. */
export type StreetCover = 'everywhere' | readonly Area[];

/** Online maps have streets everywhere, a file within its bounds. */
export function coverOf(map: BaseMap): StreetCover {
  if (map.kind === 'built-in') return DEMO_AREAS;
  return map.kind === 'file' ? [...DEMO_AREAS, map.bounds] : 'everywhere';
}

/** The zoom at which one vehicle is shown, where the map has streets. */
const STREETS_ZOOM = 14.5;
/** Where there are none, the villages around still say where a vehicle is; any closer there may be nothing in view. */
const VILLAGES_ZOOM = 10.5;

export const hasStreets = (cover: StreetCover, { lat, lon }: Spot): boolean =>
  cover === 'everywhere' ||
  cover.some(([west, south, east, north]) => lon >= west && lon <= east && lat >= south && lat <= north);

/** How far the camera zooms in automatically: never deeper than the map can show at these places. */
export const deepestZoom = (cover: StreetCover, ...spots: readonly Spot[]): number =>
  spots.every(spot => hasStreets(cover, spot)) ? STREETS_ZOOM : VILLAGES_ZOOM;
