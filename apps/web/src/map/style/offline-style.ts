import type { StyleSpecification } from 'maplibre-gl';
import { FONT_FACES } from './fonts.ts';
import { interstateShields, placeLabels, quarterLabels, roadLabels, waterLabels } from './labels.ts';
import { boundaryLayers, landLayers, streetGround, streetLand, urbanLayer } from './land.ts';
import type { Palette } from './palette.ts';
import { interstateLayers, roadLayers } from './roads.ts';
import { withSlots } from './slots.ts';
import { DEMO_CITIES, OWN_STREETS } from './street-source.ts';

/** West, south, east, north. */
export type Area = readonly [number, number, number, number];

/** Where the offline map has streets. Elsewhere it has only towns and interstates. */
export const DEMO_AREAS: readonly Area[] = [
  [-87.803, 41.771, -87.583, 41.968],
  [-56.338, -34.958, -55.986, -34.814],
];

/** The installation's own street map, as a file. */
export interface StreetFile {
  /** `pmtiles://…` */
  readonly url: string;
  readonly attribution: string;
}

/**
 * The base map from this server's files, for one color scheme. `origin` is where `/map/` is served. `file` is the
 * installation's own street map, drawn over the world map and under its names.
 */
export function offlineStyle(palette: Palette, origin: string, file: StreetFile | null = null): StyleSpecification {
  const streets = file ? [DEMO_CITIES, OWN_STREETS] : [DEMO_CITIES];
  return withSlots({
    version: 8,
    'font-faces': FONT_FACES,
    sources: {
      world: {
        type: 'vector',
        url: `pmtiles://${origin}/map/world-z6.pmtiles`,
        attribution: 'Natural Earth, GeoNames',
      },
      towns: { type: 'vector', url: `pmtiles://${origin}/map/towns.pmtiles` },
      cities: {
        type: 'vector',
        url: `pmtiles://${origin}/map/cities.pmtiles`,
        attribution: '© OpenStreetMap contributors, © Mapbox',
      },
      ...(file ? { streets: { type: 'vector', url: file.url, attribution: file.attribution } as const } : {}),
      interstates: {
        type: 'geojson',
        data: `${origin}/map/interstates.json`,
        attribution: 'Interstates: schematic',
      },
    },
    layers: [
      ...landLayers(palette),
      ...streets.map(one => streetLand(palette, one)),
      urbanLayer(palette),
      ...streets.flatMap(one => streetGround(palette, one)),
      ...interstateLayers(palette),
      ...streets.flatMap(one => roadLayers(palette, one)),
      ...boundaryLayers(palette),
      ...streets.flatMap(one => roadLabels(palette, one)),
      interstateShields(palette),
      ...waterLabels(palette),
      ...streets.flatMap(one => quarterLabels(palette, one)),
      ...placeLabels(palette),
    ],
  });
}
