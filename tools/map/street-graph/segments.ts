import type { Inputs } from '../inputs.ts';
import type { Place } from './ways.ts';

/** The parts used of flatbush, a packed R-tree. */
interface SpatialIndex {
  add(minX: number, minY: number, maxX: number, maxY: number): void;
  finish(): void;
  search(minX: number, minY: number, maxX: number, maxY: number): number[];
}
interface Flatbush {
  readonly default: new (count: number) => SpatialIndex;
}

export interface Segment {
  readonly from: Place;
  readonly to: Place;
}

export type Near<S> = (a: Place, b: Place) => readonly (readonly [index: number, segment: S])[];

/** Finds the segments whose bounding box, extended by `margin`, intersects that of two places. */
export function indexSegments<S extends Segment>(inputs: Inputs, segments: readonly S[], margin: number): Near<S> {
  const { default: Index } = inputs.load<Flatbush>('flatbush');
  const index = new Index(segments.length);
  for (const { from, to } of segments) {
    const [west, north, east, south] = boxOf(from, to);
    index.add(west - margin, north - margin, east + margin, south + margin);
  }
  index.finish();
  return (a, b) =>
    index.search(...boxOf(a, b)).flatMap(found => {
      const segment = segments[found];
      return segment ? [[found, segment] as const] : [];
    });
}

const boxOf = (a: Place, b: Place): [number, number, number, number] => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[0], b[0]),
  Math.max(a[1], b[1]),
];

export function* segmentsOf(places: readonly Place[]): Generator<readonly [Place, Place]> {
  for (const [index, to] of places.entries()) {
    const from = places[index - 1];
    if (from) yield [from, to];
  }
}

export const squaredDistance = (a: Place, b: Place): number => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2;

/**
 * Position of the place's projection on the segment's line, 0…1 within the segment. Null for a segment without length.
 */
export function alongSegment(place: Place, { from, to }: Segment): number | null {
  const length = squaredDistance(from, to);
  if (length === 0) return null;
  return ((place[0] - from[0]) * (to[0] - from[0]) + (place[1] - from[1]) * (to[1] - from[1])) / length;
}

export const placeAlong = ({ from, to }: Segment, part: number): Place => [
  from[0] + part * (to[0] - from[0]),
  from[1] + part * (to[1] - from[1]),
];
