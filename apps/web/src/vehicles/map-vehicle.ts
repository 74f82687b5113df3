import { formatAge } from '../format/duration.ts';
import type { VehicleEntry } from '../live/vehicle-entry.ts';
import type { MapVehicle } from '../map/scene/nodes.ts';
import { toldMs } from './shown.ts';
import { courseOf, isOld, shapeOfEntry } from './vehicle-shape.ts';

/** A vehicle in the form the map draws. Null if its position was never known. */
export function mapVehicle(entry: VehicleEntry, nowMs: number): MapVehicle | null {
  const { vehicle, now, place } = entry;
  const told = toldMs(entry);
  if (!place) return null;
  return {
    id: vehicle.imei,
    lat: place.lat,
    lon: place.lon,
    shape: shapeOfEntry(entry),
    status: now.status,
    course: courseOf(entry),
    label: vehicle.deviceName,
    age: isOld(entry) && told !== null ? formatAge(nowMs - told) : null,
  };
}
