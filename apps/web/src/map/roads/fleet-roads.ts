import { ROADS_MAX_ZOOM, ROADS_MIN_ZOOM, readFleetRoads } from '@milepost/contract';
import type { LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import type { Ink } from '../images/ink.ts';
import { SLOTS } from '../style/slots.ts';
import { LOWEST_TRAIL_LAYER } from '../trail/trail-overlay.ts';

export const ROADS_SOURCE = 'fleet-roads';

function roadLayers(ink: Ink): LayerSpecification[] {
  const line = {
    type: 'line' as const,
    source: ROADS_SOURCE,
    'source-layer': 'fleet',
    layout: { 'line-cap': 'round' as const, 'line-join': 'round' as const },
  };
  return [
    {
      ...line,
      id: 'fleet-roads-glow',
      paint: {
        'line-color': ink('--brand2'),
        'line-width': ['interpolate', ['linear'], ['zoom'], 4, 3, 9, 6, 14, 12],
        'line-opacity': ['interpolate', ['linear'], ['zoom'], 9, 0.16, 10.5, 0.05],
      },
    },
    {
      ...line,
      id: 'fleet-roads-line',
      paint: {
        'line-color': ink('--brand2'),
        'line-width': ['interpolate', ['linear'], ['zoom'], 4, 0.8, 9, 1.6, 14, 2.2],
        // Lighter where the base map has streets, which show more; tracks on the same road add up.
        'line-opacity': ['interpolate', ['linear'], ['zoom'], 9, 0.55, 10.5, 0.25],
      },
    },
  ];
}

/** Draws the roads that the fleet drives, under trails and place names. Returns a function that removes them. */
export function showFleetRoads(map: MapLibreMap, ink: Ink): () => void {
  map.addSource(ROADS_SOURCE, {
    type: 'vector',
    tiles: [location.origin + readFleetRoads.path],
    minzoom: ROADS_MIN_ZOOM,
    maxzoom: ROADS_MAX_ZOOM,
  });
  const above = map.getLayer(LOWEST_TRAIL_LAYER) ? LOWEST_TRAIL_LAYER : SLOTS.trails;
  for (const layer of roadLayers(ink)) map.addLayer(layer, above);
  return () => {
    // The map may have been removed by now, or have another style.
    if (!map.style || !map.getSource(ROADS_SOURCE)) return;
    for (const { id } of roadLayers(ink)) map.removeLayer(id);
    map.removeSource(ROADS_SOURCE);
  };
}
