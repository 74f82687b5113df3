import type { Vehicle } from '@milepost/contract';
import type { VehicleEntry } from '../live/vehicle-entry.ts';

/** The vehicle's own odometer in km: what the tracker counts, and what the vehicle had before. Null where none counts. */
export function odometerOf(vehicle: Pick<Vehicle, 'odometerOffsetKm'>, entry: VehicleEntry | undefined): number | null {
  const counted = entry?.report?.mileage ?? null;
  return counted === null ? null : counted + vehicle.odometerOffsetKm;
}
