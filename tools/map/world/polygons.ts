import type { Inputs } from '../inputs.ts';
import type { Geometry, Position } from '../layers.ts';

export type Rings = readonly (readonly Position[])[];

interface Polylabel {
  readonly default: (polygon: readonly (readonly [number, number][])[], precision: number) => ArrayLike<number>;
}

/** In square degrees, on a plane of longitude and latitude. */
function ringArea(ring: readonly Position[]): number {
  let twice = 0;
  let before = ring.at(-1);
  for (const position of ring) {
    if (before) twice += (position[0] - before[0]) * (position[1] + before[1]);
    before = position;
  }
  return Math.abs(twice / 2);
}

/** The largest of a shape's polygons, used for its label and rank, and the area of its outer ring. */
export function largestPolygon(geometry: Geometry): { readonly rings: Rings; readonly squareDegrees: number } {
  const polygons: readonly Rings[] =
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
  // Negative, because an island simplified to a line has an area of 0 but still a name.
  let largest: { rings: Rings; squareDegrees: number } = { rings: [], squareDegrees: -1 };
  for (const rings of polygons) {
    if (!rings[0]?.length) continue;
    const squareDegrees = ringArea(rings[0]);
    if (squareDegrees > largest.squareDegrees) largest = { rings, squareDegrees };
  }
  return largest;
}

/**
 * The point with the most room for a label: the pole of inaccessibility, with degrees of longitude scaled to their
 * length there.
 */
export function labelPosition(inputs: Inputs, geometry: Geometry): Position {
  const { rings } = largestPolygon(geometry);
  const shrink = Math.cos(((rings[0]?.[0]?.[1] ?? 0) * Math.PI) / 180) || 0.1;
  const scaled = rings.map(ring => ring.map(([lon, lat]): [number, number] => [lon * shrink, lat]));
  const { default: polylabel } = inputs.load<Polylabel>('polylabel');
  const { 0: lon = 0, 1: lat = 0 } = polylabel(scaled, 0.05);
  return [lon / shrink, lat];
}
