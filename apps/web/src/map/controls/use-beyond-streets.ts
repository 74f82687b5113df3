import type { Spot } from '../camera.ts';
import { STREET_AREAS } from '../style/offline-style.ts';
import { useMapAtRest } from './use-map-at-rest.ts';

/** From here on one expects streets. */
const STREETS_FROM_ZOOM = 10;

/** The view is close enough for streets, and the offline map has none there. */
export function useBeyondStreets(): boolean {
  return useMapAtRest(map => {
    if (map.getZoom() < STREETS_FROM_ZOOM) return false;
    const { lng, lat } = map.getCenter();
    return !hasStreets({ lat, lon: lng });
  });
}

/** The offline map has streets at this spot. */
export const hasStreets = ({ lat, lon }: Spot): boolean =>
  STREET_AREAS.some(([west, south, east, north]) => lon >= west && lon <= east && lat >= south && lat <= north);
