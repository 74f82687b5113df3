import type { Inputs } from '../inputs.ts';
import type { Geometry, MapFeature, Position } from '../layers.ts';
import { labelPosition, largestPolygon } from './polygons.ts';

/** The parts used of topojson-client and of world-atlas, which is Natural Earth with corrected names. */
interface WorldAtlas {
  readonly objects: { readonly countries: object };
}
interface Topojson {
  feature(
    topology: WorldAtlas,
    object: object,
  ): { readonly features: readonly { readonly geometry: Geometry | null; readonly properties: { name?: string } }[] };
}

/** Minimum size of a country's largest part, in square degrees at the equator → first zoom and rank of its name. */
const SIZES = [
  { above: 250, zoom: 1, rank: 15 },
  { above: 60, zoom: 2, rank: 13 },
  { above: 20, zoom: 3, rank: 12 },
  { above: 6, zoom: 3.5, rank: 10 },
  { above: 1.5, zoom: 4, rank: 9 },
  { above: 0.3, zoom: 5, rank: 8 },
] as const;
const SMALL = { zoom: 6, rank: 7 };

/** Label positions for countries where the place with the most room is not where people look. */
const BETTER_PLACES: Readonly<Record<string, Position>> = {
  Canada: [-106, 57],
  'United States of America': [-98.6, 39.4],
  Russia: [96, 62],
};
const SHORT_NAMES: Readonly<Record<string, string>> = { 'United States of America': 'United States' };

export function* countryNames(inputs: Inputs): Generator<MapFeature> {
  const atlas = inputs.load<WorldAtlas>('world-atlas/countries-10m.json');
  const { features } = inputs.load<Topojson>('topojson-client').feature(atlas, atlas.objects.countries);
  for (const { geometry, properties } of features) {
    const full = properties.name;
    if (!geometry || !full) continue;
    const roomiest = labelPosition(inputs, geometry);
    const size = largestPolygon(geometry).squareDegrees * Math.cos((roomiest[1] * Math.PI) / 180);
    const { zoom, rank } = SIZES.find(({ above }) => size > above) ?? SMALL;
    const name = SHORT_NAMES[full] ?? full;
    yield {
      geometry: { type: 'Point', coordinates: BETTER_PLACES[full] ?? roomiest },
      properties: { kind: 'country', name, 'name:en': name, population_rank: rank, min_zoom: zoom },
      fromZoom: Math.floor(zoom),
    };
  }
}
