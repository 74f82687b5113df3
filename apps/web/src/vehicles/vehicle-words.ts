import type { Vehicle } from '@milepost/contract';
import type { VehicleEntry } from '../live/vehicle-entry.ts';
/** `2022 Kenworth T680`, as far as it is known. Many write the make into the model; it is not said twice. */
export function modelOf({ year, make, model }: Pick<Vehicle, 'year' | 'make' | 'model'>): string {
  const repeats = make !== null && model?.toLowerCase().startsWith(make.toLowerCase());
  const dated = year !== null && model?.includes(String(year));
  return [dated ? null : year, repeats ? null : make, model].filter(Boolean).join(' ');
}

/** Who drives: by the card in the newest report, or as the list last told. */
export const driverOf = ({
  vehicle,
  report,
}: Pick<VehicleEntry, 'vehicle' | 'report'>): { readonly id: string; readonly name: string } | null =>
  report?.driver ?? vehicle.driver;

/** Steps of the received signal strength 0–31 of 3GPP TS 27.007 section 8.5: below 10 marginal, from 15 on good. */
export function gsmQuality(strength: number): 'none' | 'weak' | 'fair' | 'good' {
  if (strength === 0) return 'none';
  return strength < 10 ? 'weak' : strength < 15 ? 'fair' : 'good';
}

/** The vehicle's own odometer in km, as its reports carry it: what it had before the tracker is in it. Null where none counts. */
export const odometerOf = (entry: VehicleEntry | undefined): number | null => entry?.report?.mileage ?? null;
