import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** TopoJSON 1.0: arcs as differences of whole numbers, which polygons share. */
interface Topology {
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
  readonly objects: { readonly states: { readonly geometries: readonly Geometry[] } };
}
type Geometry = {
  /** The FIPS code. */
  readonly id: string;
  readonly properties: { readonly name: string };
} & (
  | { readonly type: 'Polygon'; readonly arcs: readonly (readonly number[])[] }
  | { readonly type: 'MultiPolygon'; readonly arcs: readonly (readonly (readonly number[])[])[] }
);

/** Longitude and latitude of one corner after the other. */
type Ring = Float64Array;

interface Polygon {
  readonly rings: readonly Ring[];
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** In the order in which places are looked up: close to a border, the US Census Bureau's is the more exact. */
const COUNTRIES = ['US', 'CA', 'MX'] as const;
export type Country = (typeof COUNTRIES)[number];

/** A US state, a province or territory of Canada, or a state of Mexico. */
export interface State {
  /** The FIPS code in the US; otherwise the country and two letters. */
  readonly code: string;
  readonly country: Country;
  readonly name: string;
  readonly polygons: readonly Polygon[];
}

let states: readonly State[] | undefined;

/** All states, by country and name; read when they are first asked for. */
export function allStates(): readonly State[] {
  states ??= [...readUsStates(), ...readProvinces()].sort(
    (a, b) => COUNTRIES.indexOf(a.country) - COUNTRIES.indexOf(b.country) || a.name.localeCompare(b.name, 'en'),
  );
  return states;
}

/** The state that a place is in; null outside of all, or over open water. `last` is looked at first. */
export function stateAt(lat: number, lon: number, last: State | null): State | null {
  if (last && contains(last, lat, lon)) return last;
  return allStates().find(state => state !== last && contains(state, lat, lon)) ?? null;
}

function readUsStates(): State[] {
  const file = new URL(import.meta.resolve('us-atlas/states-10m.json'));
  const { arcs, objects, transform } = JSON.parse(readFileSync(file, 'utf8')) as Topology;
  const [[scaleX, scaleY], [west, south]] = [transform.scale, transform.translate];
  const lines = arcs.map(arc => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]) => {
      x += dx;
      y += dy;
      return [x * scaleX + west, y * scaleY + south] as const;
    });
  });
  const ringOf = (indexes: readonly number[]): Ring =>
    // An arc with a negative index is gone along backward.
    Float64Array.from(
      indexes.flatMap(index => (index < 0 ? (lines[~index]?.toReversed() ?? []) : (lines[index] ?? []))).flat(),
    );
  return objects.states.geometries.map((geometry): State => {
    const all = geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs;
    return {
      ...{ code: geometry.id, country: 'US', name: geometry.properties.name },
      polygons: all.map(rings => polygonOf(rings.map(ringOf))),
    };
  });
}

/** `tools/map/provinces.ts` writes them: differences of whole numbers of 0.0001°. */
interface Province {
  readonly code: string;
  readonly name: string;
  readonly polygons: readonly (readonly number[])[][];
}

function readProvinces(): State[] {
  const bytes = gunzipSync(readFileSync(join(import.meta.dirname, '../../../../../../data/map/provinces.json.gz')));
  return (JSON.parse(bytes.toString()) as Province[]).map(
    ({ code, name, polygons }): State => ({
      ...{ code, country: code.startsWith('CA') ? 'CA' : 'MX', name },
      polygons: polygons.map(rings =>
        polygonOf(
          rings.map(steps => {
            const ring = new Float64Array(steps.length);
            const corner = [0, 0] as [number, number];
            for (const [i, step] of steps.entries()) {
              corner[(i % 2) as 0 | 1] += step;
              ring[i] = corner[(i % 2) as 0 | 1] / 10_000;
            }
            return ring;
          }),
        ),
      ),
    }),
  );
}

function polygonOf(rings: readonly Ring[]): Polygon {
  const outline = rings[0] ?? new Float64Array();
  const [lons, lats] = [outline.filter((_, i) => i % 2 === 0), outline.filter((_, i) => i % 2 === 1)];
  const least = (values: Float64Array): number => values.reduce((known, value) => Math.min(known, value));
  const most = (values: Float64Array): number => values.reduce((known, value) => Math.max(known, value));
  return { rings, west: least(lons), south: least(lats), east: most(lons), north: most(lats) };
}

function contains({ polygons }: State, lat: number, lon: number): boolean {
  return polygons.some(
    ({ east, north, rings, south, west }) =>
      lat >= south && lat <= north && lon >= west && lon <= east && isInside(rings, lat, lon),
  );
}

/** Whether a line to the west crosses the outlines an odd number of times. */
function isInside(rings: readonly Ring[], lat: number, lon: number): boolean {
  let inside = false;
  for (const ring of rings) {
    let [x, y] = [ring[ring.length - 2] as number, ring[ring.length - 1] as number];
    for (let i = 0; i < ring.length; i += 2) {
      const [nextX, nextY] = [ring[i] as number, ring[i + 1] as number];
      if (y > lat !== nextY > lat && lon < x + ((lat - y) / (nextY - y)) * (nextX - x)) inside = !inside;
      [x, y] = [nextX, nextY];
    }
  }
  return inside;
}
