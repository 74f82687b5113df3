import { bearingDegrees, distanceMetres } from '@milepost/geo';
import { type Degrees, degrees, type Metres } from '@milepost/units';
import type { VehicleEntry } from '../../../../live/vehicle-entry.ts';
import type { Spot } from '../../../../map/camera.ts';

export interface Neighbour {
  readonly imei: string;
  readonly spot: Spot;
  /** In a straight line. */
  readonly distance: Metres;
  /** From the given spot to the vehicle. */
  readonly direction: Degrees;
}

const NEIGHBOURS_SHOWN = 10;

/** The vehicles closest to a spot, closest first. Leaves out the vehicle asked about and those without a position. */
export function nearestTo(spot: Spot, entries: Iterable<VehicleEntry>, except: string | null): Neighbour[] {
  const middle = point(spot);
  const found: { readonly imei: string; readonly spot: Spot; readonly distance: Metres }[] = [];
  for (const { vehicle, place } of entries) {
    if (!place || vehicle.imei === except) continue;
    found.push({ imei: vehicle.imei, spot: place, distance: distanceMetres(middle, point(place)) });
  }
  return found
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEIGHBOURS_SHOWN)
    .map(neighbour => ({ ...neighbour, direction: bearingDegrees(middle, point(neighbour.spot)) }));
}

const point = ({ lat, lon }: Spot) => ({ lat: degrees(lat), lon: degrees(lon) });
