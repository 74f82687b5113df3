import type { FenceIndex, LatLon } from '@milepost/geo';

/** In degrees; west and east may be past 180, so that west is never more than east. */
export type Box = readonly [south: number, west: number, north: number, east: number];

/** The box with a place in it; the same one if it is in it already. */
export function widened(box: Box | null, { lat, lon }: LatLon): Box {
  if (box === null) return [lat, lon, lat, lon];
  const [south, west, north, east] = box;
  const near = lon - 360 * Math.round((lon - (west + east) / 2) / 360);
  if (lat >= south && lat <= north && near >= west && near <= east) return box;
  return [Math.min(south, lat), Math.min(west, near), Math.max(north, lat), Math.max(east, near)];
}

/** Some geofence of these may touch the box. */
export function isNearBox(index: FenceIndex, [south, west, north, east]: Box, is: (id: number) => boolean): boolean {
  // The short way between two meridians is the other one.
  if (east - west >= 180) return true;
  const corner = (lat: number, lon: number) => ({ lat, lon }) as LatLon;
  return index.near(corner(south, west), corner(north, east)).some(({ id }) => is(id));
}
