import type { StyleSpecification } from 'maplibre-gl';
import { FONT_FACES } from './fonts.ts';
import { placeLabels, roadLabels, waterLabels } from './labels.ts';
import { boundaryLayers, landLayers } from './land.ts';
import type { Palette } from './palette.ts';
import { interstateLayers, roadLayers } from './roads.ts';
import { withSlots } from './slots.ts';

/** Sources of the offline map; a failure of one of them is a failure of the base map. */
export const OFFLINE_SOURCES = ['world', 'cities', 'interstates'] as const;

/** Where the offline map has streets: west, south, east, north. Elsewhere it has towns and interstates only. */
export const STREET_AREAS: readonly (readonly [number, number, number, number])[] = [
  [-87.803, 41.771, -87.583, 41.968],
  [-56.338, -34.958, -55.986, -34.814],
];

/** The base map from the product's own files, for one colour scheme. `origin` is where `/map/` is served. */
export function offlineStyle(palette: Palette, origin: string): StyleSpecification {
  return withSlots({
    version: 8,
    'font-faces': FONT_FACES,
    sources: {
      world: {
        type: 'vector',
        url: `pmtiles://${origin}/map/world-z6.pmtiles`,
        attribution: 'Natural Earth, GeoNames',
      },
      cities: {
        type: 'vector',
        url: `pmtiles://${origin}/map/cities.pmtiles`,
        attribution: '© OpenStreetMap contributors, © Mapbox',
      },
      interstates: {
        type: 'geojson',
        data: `${origin}/map/interstates.json`,
        attribution: 'Interstates: schematic',
      },
    },
    layers: [
      ...landLayers(palette),
      ...roadLayers(palette),
      ...interstateLayers(palette),
      ...boundaryLayers(palette),
      ...roadLabels(palette),
      ...waterLabels(palette),
      ...placeLabels(palette),
    ],
  });
}
