import { hasStreets } from '../base/street-cover.ts';
import { useMap } from '../map-context.ts';
import { useMapAtRest } from './use-map-at-rest.ts';

/** From this zoom on, users expect streets. */
const STREETS_FROM_ZOOM = 6;

/** True when the map is zoomed in to street level where the base map has no streets. */
export function useBeyondStreets(): boolean {
  const { streets } = useMap();
  return useMapAtRest(map => {
    if (map.getZoom() < STREETS_FROM_ZOOM) return false;
    const { lng, lat } = map.getCenter();
    return !hasStreets(streets, { lat, lon: lng });
  });
}
