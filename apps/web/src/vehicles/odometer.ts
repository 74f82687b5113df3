import type { VehicleEntry } from '../live/vehicle-entry.ts';

/** The vehicle's own odometer in km, as its reports carry it: what it had before the tracker is in it. Null where none counts. */
export const odometerOf = (entry: VehicleEntry | undefined): number | null => entry?.report?.mileage ?? null;
