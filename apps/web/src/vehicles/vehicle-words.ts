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
