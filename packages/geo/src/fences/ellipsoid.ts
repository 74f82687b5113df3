import { type Degrees, type Metres, metres } from '@milepost/units';
import type { LatLon } from '../fix.ts';

/** WGS 84: equatorial radius in meters, and flattening. */
const A = 6_378_137;
const F = 1 / 298.257223563;
const E2 = F * (2 - F);
const RADIANS = Math.PI / 180;

export interface Scale {
  /** Meters per degree of latitude and of longitude. */
  readonly north: number;
  readonly east: number;
}

/** How long a degree is at a latitude: the meridian and the prime vertical radius of curvature. */
export function scaleAt(lat: number): Scale {
  const sin = Math.sin(lat * RADIANS);
  const w = 1 - E2 * sin * sin;
  const vertical = A / Math.sqrt(w);
  return {
    north: ((vertical * (1 - E2)) / w) * RADIANS,
    east: Math.max(vertical * Math.cos(lat * RADIANS) * RADIANS, 1e-9),
  };
}

/**
 * Distance along the ellipsoid by Lambert's formula for long lines: within a few millionths, so half a millimeter for
 * each 100 m.
 */
export function ellipsoidDistance(from: LatLon, to: LatLon): Metres {
  const reduced = (lat: number): number => Math.atan((1 - F) * Math.tan(lat * RADIANS));
  const [u1, u2] = [reduced(from.lat), reduced(to.lat)];
  const sinLat = Math.sin((u2 - u1) / 2);
  const sinLon = Math.sin(((to.lon - from.lon) * RADIANS) / 2);
  const h = Math.min(1, sinLat * sinLat + Math.cos(u1) * Math.cos(u2) * sinLon * sinLon);
  const angle = 2 * Math.asin(Math.sqrt(h));
  if (angle === 0) return metres(0);
  const [p, q] = [(u1 + u2) / 2, (u2 - u1) / 2];
  const [sinHalf, cosHalf] = [Math.sin(angle / 2), Math.cos(angle / 2)];
  // Opposite points, half the Earth apart: the correction has no value there.
  if (cosHalf < 1e-6) return metres(A * angle);
  const x = (angle - Math.sin(angle)) * ((Math.sin(p) * Math.cos(q)) / cosHalf) ** 2;
  const y = (angle + Math.sin(angle)) * ((Math.cos(p) * Math.sin(q)) / sinHalf) ** 2;
  return metres(A * (angle - (F / 2) * (x + y)));
}

/** A longitude so that it is at most half a turn from another; it may then be beyond 180 degrees. */
export function near(lon: number, other: number): number {
  const away = lon - other;
  return away > 180 || away < -180 ? lon - 360 * Math.round(away / 360) : lon;
}

/** The authalic latitude's sine, on the sphere with the ellipsoid's area, and that sphere's squared radius. */
export function authalicSine(lat: Degrees): number {
  const sin = Math.sin(lat * RADIANS);
  return authalic(sin) / authalic(1);
}
const E = Math.sqrt(E2);
const authalic = (sin: number): number =>
  (1 - E2) * (sin / (1 - E2 * sin * sin) - Math.log((1 - E * sin) / (1 + E * sin)) / (2 * E));
export const AUTHALIC_RADIUS_2 = (A * A * authalic(1)) / 2;
