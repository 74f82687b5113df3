/** Web Mercator (EPSG:3857) with the whole world 0…1 on both axes, y down, as in tile coordinates. */

export const longitudeAt = (x: number): number => x * 360 - 180;

export const latitudeAt = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
