import type { Inputs } from '../inputs.ts';
import type { Geometry, Position } from '../layers.ts';

export type Rings = readonly (readonly Position[])[];

interface Polylabel {
  readonly default: (polygon: readonly (readonly [number, number][])[], precision: number) => ArrayLike<number>;
}

/** In square degrees, as drawn on a plane of longitude and latitude. */
function ringArea(ring: readonly Position[]): number {
  let twice = 0;
  let before = ring.at(-1);
  for (const position of ring) {
    if (before) twice += (position[0] - before[0]) * (position[1] + before[1]);
    before = position;
  }
  return Math.abs(twice / 2);
}

/** The largest of a shape's polygons, which its label and its rank go by, and the area of its outer ring. */
export function largestPolygon(geometry: Geometry): { readonly rings: Rings; readonly squareDegrees: number } {
  const polygons: readonly Rings[] =
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
  // Below nothing, because an island that was simplified to a line has no area and still a name.
  let largest: { rings: Rings; squareDegrees: number } = { rings: [], squareDegrees: -1 };
  for (const rings of polygons) {
    if (!rings[0]?.length) continue;
    const squareDegrees = ringArea(rings[0]);
    if (squareDegrees > largest.squareDegrees) largest = { rings, squareDegrees };
  }
  return largest;
}

/** Where a label has the most room: the pole of inaccessibility, degrees of longitude taken as long as they are there. */
export function labelPosition(inputs: Inputs, geometry: Geometry): Position {
  const { rings } = largestPolygon(geometry);
  const shrink = Math.cos(((rings[0]?.[0]?.[1] ?? 0) * Math.PI) / 180) || 0.1;
  const scaled = rings.map(ring => ring.map(([lon, lat]): [number, number] => [lon * shrink, lat]));
  const { default: polylabel } = inputs.load<Polylabel>('polylabel');
  const { 0: lon = 0, 1: lat = 0 } = polylabel(scaled, 0.05);
  return [lon / shrink, lat];
}
