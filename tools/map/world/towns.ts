import { type GeoNamesPlace, geoNamesPlaces } from '../geonames.ts';
import type { Inputs } from '../inputs.ts';
import type { MapFeature, Position } from '../layers.ts';
import { createNames } from './names.ts';
import { readTheme } from './natural-earth.ts';

/** GeoNames' places with fewer inhabitants are left out: at zoom 6, the last, they would take up most of the file. */
export const FEWEST = 15_000;

/** Natural Earth's rank of a town, 0 first → the first zoom. */
const ZOOM_BY_RANK = [2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8];
const CAPITALS: Readonly<Record<string, string>> = { 'Admin-0 capital': 'yes', 'Admin-1 capital': '4' };

/** The schema's `population_rank` is the number of these thresholds that a town has reached. */
const POPULATION_STEPS = [200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 5e7, 1e8];

/** Natural Earth's towns, ranked by importance, then those only in GeoNames, ranked by population. */
export async function townNames(inputs: Inputs): Promise<MapFeature[]> {
  const known = createNames();
  const ranked = (await readTheme(inputs, 'populated_places_simple')).flatMap(({ geometry, properties }) => {
    if (geometry.type !== 'Point') return [];
    known.add(`${properties.nameascii || properties.name || ''}`, geometry.coordinates);
    return town(
      `${properties.name ?? ''}`,
      geometry.coordinates,
      Number(properties.pop_max),
      ZOOM_BY_RANK[Number(properties.scalerank)] ?? 7,
      CAPITALS[`${properties.featurecla}`],
    );
  });
  const others = geoNamesPlaces(inputs)
    .filter(place => place.population >= FEWEST && place.featureCode !== 'PPLX')
    .filter(({ name, loc }) => !known.has(name, loc.coordinates))
    .map(place => town(place.name, place.loc.coordinates, place.population, zoomOf(place)));
  return [...ranked, ...others];
}

function zoomOf({ population }: GeoNamesPlace): number {
  if (population >= 200_000) return 6;
  if (population >= 60_000) return 7;
  return population >= 20_000 ? 8 : 9;
}

export function town(name: string, at: Position, population: number, zoom: number, capital?: string): MapFeature {
  return {
    geometry: { type: 'Point', coordinates: at },
    properties: {
      kind: 'locality',
      kind_detail: population >= 1e5 ? 'city' : population >= 1e4 ? 'town' : 'village',
      name,
      'name:en': name,
      population_rank: POPULATION_STEPS.filter(step => population >= step).length,
      population,
      min_zoom: zoom,
      capital,
    },
    fromZoom: zoom,
  };
}
