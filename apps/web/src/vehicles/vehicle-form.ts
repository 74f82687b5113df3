import type { Vehicle } from '@milepost/contract';
import type { MeasureSystem } from '../format/measure.ts';
import { kmPerUnit, litersPerUnit, typedNumber, typedText } from '../format/typed.ts';

/** A vehicle's form values: named as in the contract, all as text, in the user's units. */
export interface VehicleValues {
  readonly deviceName: string;
  readonly imei: string;
  readonly plate: string;
  readonly vin: string;
  readonly type: string;
  readonly make: string;
  readonly model: string;
  readonly year: string;
  readonly fuelType: string;
  readonly tankLitres: string;
  readonly speedLimitKmh: string;
  readonly odometerOffsetKm: string;
  readonly folderId: string;
  readonly usualDriverId: string;
  readonly tags: string;
  readonly trackerModel: string;
  readonly simNumber: string;
  readonly trackerId: string;
  readonly protocol: string;
  readonly trackerAddresses: string;
  readonly notes: string;
}

const shown = (value: number | null, unit: number): string => typedText(value && value / unit, 1);

export function valuesOf(vehicle: Vehicle, system: MeasureSystem): VehicleValues {
  return {
    deviceName: vehicle.deviceName,
    imei: vehicle.imei,
    plate: vehicle.plate ?? '',
    vin: vehicle.vin ?? '',
    type: vehicle.type ?? '',
    make: vehicle.make ?? '',
    model: vehicle.model ?? '',
    year: vehicle.year === null ? '' : String(vehicle.year),
    fuelType: vehicle.fuelType ?? '',
    tankLitres: shown(vehicle.tankLitres, litersPerUnit(system)),
    speedLimitKmh: shown(vehicle.speedLimitKmh, kmPerUnit(system)),
    odometerOffsetKm: vehicle.odometerOffsetKm === 0 ? '' : shown(vehicle.odometerOffsetKm, kmPerUnit(system)),
    folderId: vehicle.folderId ?? '',
    usualDriverId: vehicle.usualDriverId ?? '',
    tags: vehicle.tags.join(', '),
    trackerModel: vehicle.trackerModel ?? '',
    simNumber: vehicle.simNumber ?? '',
    trackerId: vehicle.trackerId ?? '',
    protocol: vehicle.protocol ?? '',
    trackerAddresses: vehicle.trackerAddresses.join(', '),
    notes: vehicle.notes ?? '',
  };
}

/** Converts a number to the wire's unit. Other text stays as typed, so that the schema can report it. */
const inWireUnit = (text: string, unit: number): string => {
  const number = typedNumber(text);
  return Number.isNaN(number) ? text.trim() : String(Math.round(number * unit * 1000) / 1000);
};

export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(Boolean);

/** Converts form values to the contract's names and units. */
export function bodyOf(values: Partial<VehicleValues>, system: MeasureSystem): Record<string, unknown> {
  const { tankLitres, speedLimitKmh, odometerOffsetKm, tags, trackerAddresses, ...texts } = values;
  return {
    ...texts,
    ...(tankLitres === undefined ? {} : { tankLitres: inWireUnit(tankLitres, litersPerUnit(system)) }),
    ...(speedLimitKmh === undefined ? {} : { speedLimitKmh: inWireUnit(speedLimitKmh, kmPerUnit(system)) }),
    ...(odometerOffsetKm === undefined
      ? {}
      : { odometerOffsetKm: odometerOffsetKm.trim() === '' ? 0 : inWireUnit(odometerOffsetKm, kmPerUnit(system)) }),
    ...(tags === undefined ? {} : { tags: listOf(tags) }),
    ...(trackerAddresses === undefined ? {} : { trackerAddresses: listOf(trackerAddresses) }),
  };
}
