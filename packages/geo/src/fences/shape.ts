import type { Metres } from '@milepost/units';
import type { LatLon } from '../fix.ts';

/**
 * A place on WGS 84. Edges are straight in longitude and latitude and go the short way across the antimeridian, as in
 * GeoJSON (RFC 7946, 3.1.1 and 3.1.9).
 */
export type FenceShape =
  | { readonly kind: 'circle'; readonly center: LatLon; readonly radius: Metres }
  /** The outline, then its holes; the first point of a ring isn't repeated at its end. */
  | { readonly kind: 'polygon'; readonly rings: readonly (readonly LatLon[])[] }
  /** Everything up to half of the width from the line, with round ends. */
  | { readonly kind: 'corridor'; readonly line: readonly LatLon[]; readonly width: Metres };

const SHAPE_PROBLEMS = [
  'too-few-points',
  'no-area',
  'crosses-itself',
  'rings-cross',
  'hole-outside',
  'around-pole',
] as const;

export interface ShapeProblem {
  readonly code: (typeof SHAPE_PROBLEMS)[number];
  /** The point where it is, from 0, in this ring. */
  readonly ring: number;
  readonly point: number;
}
