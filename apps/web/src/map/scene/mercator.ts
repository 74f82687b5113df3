/** Web Mercator on a unit square: x grows eastward from 180° W, y southward from about 85.05° N. */

const LIMIT = 85.051_128_78;
const toRadians = Math.PI / 180;

export const mercatorX = (lon: number): number => (lon + 180) / 360;

export function mercatorY(lat: number): number {
  const sin = Math.sin(Math.max(-LIMIT, Math.min(LIMIT, lat)) * toRadians);
  return 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI);
}

export const lonOf = (x: number): number => x * 360 - 180;

export const latOf = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

/** Width of the whole world in pixels at a zoom. MapLibre's tiles are 512 pixels wide. */
export const worldPixels = (zoom: number): number => 512 * 2 ** zoom;
