import type { Vehicle } from '@milepost/contract';
import type { VehicleEntry } from '../live/vehicle-entry.ts';
/** `2022 Kenworth T680`, without unknown parts. Many users include the make in the model; it isn't repeated then. */
export function modelOf({ year, make, model }: Pick<Vehicle, 'year' | 'make' | 'model'>): string {
  const repeats = make !== null && model?.toLowerCase().startsWith(make.toLowerCase());
  const dated = year !== null && model?.includes(String(year));
  return [dated ? null : year, repeats ? null : make, model].filter(Boolean).join(' ');
}

/** The driver: whoever is signed in, otherwise from the card in the newest report, otherwise from the list. */
export const driverOf = ({
  vehicle,
  report,
}: Pick<VehicleEntry, 'vehicle' | 'report'>): { readonly id: string; readonly name: string } | null =>
  vehicle.driver?.source === 'signed-in' ? vehicle.driver : (report?.driver ?? vehicle.driver);

/**
 * Signal quality from the strength 0–31 of 3GPP TS 27.007 section 8.5: below 10 weak, below 15 fair, from 15 on good.
 */
export function gsmQuality(strength: number): 'none' | 'weak' | 'fair' | 'good' {
  if (strength === 0) return 'none';
  return strength < 10 ? 'weak' : strength < 15 ? 'fair' : 'good';
}

/**
 * The vehicle's odometer in km from its newest report, including the distance before the tracker was installed. Null if
 * unknown.
 */
export const odometerOf = (entry: VehicleEntry | undefined): number | null => entry?.report?.mileage ?? null;
