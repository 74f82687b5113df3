import type { Inputs } from '../inputs.ts';
import type { MapFeature } from '../layers.ts';
import { findTheme, readTheme } from './natural-earth.ts';
import { largestPolygon } from './polygons.ts';
import { waterNames } from './water-names.ts';

/**
 * Looks up the first zoom for an area in a table of minimum areas, largest first; `otherwise` if it is below all of
 * them.
 */
const zoomByArea = (squareDegrees: number, steps: readonly (readonly [number, number])[], otherwise: number): number =>
  steps.find(([least]) => squareDegrees > least)?.[1] ?? otherwise;

const LAKE_ZOOMS = [
  [1, 0],
  [0.3, 3],
  [0.05, 5],
] as const;
const URBAN_ZOOMS = [
  [0.1, 4],
  [0.02, 5],
  [0.005, 6],
] as const;
/** Natural Earth's maximum rank of a river → the first zoom. */
const RIVER_ZOOMS = [
  [1, 2],
  [3, 3],
  [5, 4],
  [6, 5],
  [8, 6],
] as const;

export async function earth(inputs: Inputs): Promise<MapFeature[]> {
  const land = await readTheme(inputs, 'land');
  return land.map(({ geometry }) => ({ geometry, properties: { kind: 'earth' }, fromZoom: 0 }));
}

/** Lakes, rivers, and the names of seas and lakes. The sea itself is the map's background. */
export async function water(inputs: Inputs): Promise<MapFeature[]> {
  const lakes = (await readTheme(inputs, 'lakes')).map(({ geometry }): MapFeature => {
    const zoom = zoomByArea(largestPolygon(geometry).squareDegrees, LAKE_ZOOMS, 6);
    return { geometry, properties: { kind: 'lake', min_zoom: zoom }, fromZoom: zoom };
  });
  const rivers = (await readTheme(inputs, 'rivers_lake_centerlines'))
    // The centerline of a river through a lake would be drawn over the lake.
    .filter(({ properties }) => properties.featurecla !== 'Lake Centerline')
    .map(({ geometry, properties }): MapFeature => {
      const zoom = RIVER_ZOOMS.find(([most]) => Number(properties.scalerank) <= most)?.[1] ?? 7;
      return {
        geometry,
        properties: { kind: 'river', name: properties.name || undefined, min_zoom: zoom },
        fromZoom: zoom,
      };
    });
  return [...lakes, ...rivers, ...waterNames()];
}

/** Built-up areas; null if the large package with them is not among the inputs. */
export async function landuse(inputs: Inputs): Promise<MapFeature[] | null> {
  const areas = await findTheme(inputs, 'urban_areas');
  if (!areas) return null;
  return areas.map(({ geometry }) => {
    const zoom = zoomByArea(largestPolygon(geometry).squareDegrees, URBAN_ZOOMS, 7);
    return { geometry, properties: { kind: 'urban_area', min_zoom: zoom }, fromZoom: zoom };
  });
}

/** Borders of countries, with disputed ones marked, and of their states and provinces. */
export async function boundaries(inputs: Inputs): Promise<MapFeature[]> {
  const countries = (await readTheme(inputs, 'admin_0_boundary_lines_land')).map(
    ({ geometry, properties }): MapFeature => {
      const disputed =
        /disputed|breakaway|line of control/i.test(`${properties.featurecla ?? ''}`) &&
        !/Water Indicator/.test(`${properties.type ?? ''}`);
      return {
        geometry,
        properties: { kind: 'country', kind_detail: 2, disputed: disputed || undefined },
        fromZoom: 0,
      };
    },
  );
  const states = (await readTheme(inputs, 'admin_1_states_provinces_lines')).map(
    ({ geometry, properties }): MapFeature => {
      const zoom = Math.max(3, Math.min(7, Math.ceil(Number(properties.min_zoom ?? 5))));
      return { geometry, properties: { kind: 'region', kind_detail: 4, min_zoom: zoom }, fromZoom: zoom };
    },
  );
  return [...countries, ...states];
}
