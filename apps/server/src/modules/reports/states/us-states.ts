import { readFileSync } from 'node:fs';

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

export interface UsState {
  readonly fips: string;
  readonly name: string;
  readonly polygons: readonly Polygon[];
}

let states: readonly UsState[] | undefined;

/** The states, the District of Columbia and the territories, by name; read when they are first asked for. */
export function usStates(): readonly UsState[] {
  states ??= readStates();
  return states;
}

/** The state that a place is in; null outside of all, or over open water. `last` is looked at first. */
export function stateAt(lat: number, lon: number, last: UsState | null): UsState | null {
  if (last && contains(last, lat, lon)) return last;
  return usStates().find(state => state !== last && contains(state, lat, lon)) ?? null;
}

function readStates(): UsState[] {
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
  return objects.states.geometries
    .map((geometry): UsState => {
      const all = geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs;
      return {
        fips: geometry.id,
        name: geometry.properties.name,
        polygons: all.map(rings => polygonOf(rings.map(ringOf))),
      };
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function polygonOf(rings: readonly Ring[]): Polygon {
  const outline = rings[0] ?? new Float64Array();
  const [lons, lats] = [outline.filter((_, i) => i % 2 === 0), outline.filter((_, i) => i % 2 === 1)];
  const least = (values: Float64Array): number => values.reduce((known, value) => Math.min(known, value));
  const most = (values: Float64Array): number => values.reduce((known, value) => Math.max(known, value));
  return { rings, west: least(lons), south: least(lats), east: most(lons), north: most(lats) };
}

function contains({ polygons }: UsState, lat: number, lon: number): boolean {
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
