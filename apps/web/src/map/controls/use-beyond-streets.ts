import { hasStreets } from '../base/street-cover.ts';
import { useMap } from '../map-context.ts';
import { useMapAtRest } from './use-map-at-rest.ts';

/** From here on one expects streets. */
const STREETS_FROM_ZOOM = 10;

/** The view is close enough for streets, and the base map has none there. */
export function useBeyondStreets(): boolean {
  const { streets } = useMap();
  return useMapAtRest(map => {
    if (map.getZoom() < STREETS_FROM_ZOOM) return false;
    const { lng, lat } = map.getCenter();
    return !hasStreets(streets, { lat, lon: lng });
  });
}
