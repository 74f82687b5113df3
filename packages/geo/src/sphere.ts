import { type Degrees, degrees, type Metres, metres } from '@milepost/units';
import type { LatLon } from './fix.ts';

/**
 * Mean radius of the Earth, R₁ = (2a + b) / 3 of WGS 84 (Moritz, Geodetic Reference System 1980). On this sphere a
 * distance differs from the ellipsoid's by at most 0.56 %, and by 0.1–0.3 % between the latitudes where trucks drive.
 */
export const EARTH_RADIUS = 6_371_008.8;

const toRadians = (angle: number): number => (angle * Math.PI) / 180;
const toDegrees = (angle: number): number => (angle * 180) / Math.PI;

/** Great-circle distance by the haversine formula: exact to rounding for near points, stable up to the antipode. */
export function distanceMetres(from: LatLon, to: LatLon): Metres {
  const sinLat = Math.sin(toRadians(to.lat - from.lat) / 2);
  const sinLon = Math.sin(toRadians(to.lon - from.lon) / 2);
  const h = sinLat * sinLat + Math.cos(toRadians(from.lat)) * Math.cos(toRadians(to.lat)) * sinLon * sinLon;
  return metres(2 * EARTH_RADIUS * Math.asin(Math.sqrt(Math.min(1, h))));
}

/** Initial course of the great circle, 0 ≤ course < 360 clockwise from true north; 0 between equal points. */
export function bearingDegrees(from: LatLon, to: LatLon): Degrees {
  const deltaLon = toRadians(to.lon - from.lon);
  const fromLat = toRadians(from.lat);
  const toLat = toRadians(to.lat);
  const y = Math.sin(deltaLon) * Math.cos(toLat);
  const x = Math.cos(fromLat) * Math.sin(toLat) - Math.sin(fromLat) * Math.cos(toLat) * Math.cos(deltaLon);
  const bearing = (toDegrees(Math.atan2(y, x)) + 360) % 360;
  return degrees(bearing);
}

/** The point reached by going `distance` from a point along the great circle that starts on `bearing`. */
export function destination(from: LatLon, bearing: Degrees, distance: Metres): LatLon {
  const angle = distance / EARTH_RADIUS;
  const course = toRadians(bearing);
  const fromLat = toRadians(from.lat);
  const sinLat = Math.sin(fromLat) * Math.cos(angle) + Math.cos(fromLat) * Math.sin(angle) * Math.cos(course);
  const east = Math.sin(course) * Math.sin(angle) * Math.cos(fromLat);
  const lon = from.lon + toDegrees(Math.atan2(east, Math.cos(angle) - Math.sin(fromLat) * sinLat));
  return {
    lat: degrees(toDegrees(Math.asin(Math.max(-1, Math.min(1, sinLat))))),
    lon: degrees(((((lon + 180) % 360) + 360) % 360) - 180),
  };
}
