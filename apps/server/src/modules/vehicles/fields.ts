import {
  daysRemaining,
  type FuelType,
  type newVehicleSchema,
  type TrackerProtocol,
  type Vehicle,
  type VehicleType,
} from '@milepost/contract';
import type { z } from 'zod';
import type { Driving } from '../../fleet/driving.ts';
import type { VehicleFields, VehicleRow } from './store.ts';

export type NewVehicleFields = z.output<typeof newVehicleSchema>;

const METRES_A_KILOMETRE = 1000;
const idOf = (id: string | null | undefined): number | null | undefined => (id == null ? (id as null) : Number(id));

/** Maps the contract's fields to columns; only the fields given. */
export function toColumns(fields: Partial<NewVehicleFields>): Partial<VehicleFields> {
  const { odometerOffsetKm, folderId, usualDriverId } = fields;
  const columns = {
    imei: fields.imei,
    name: fields.deviceName,
    plate: fields.plate,
    vin: fields.vin,
    type: fields.type,
    make: fields.make,
    model: fields.model,
    year: fields.year,
    fuel_type: fields.fuelType,
    tank_litres: fields.tankLitres,
    speed_limit_kmh: fields.speedLimitKmh,
    odometer_offset: odometerOffsetKm === undefined ? undefined : odometerOffsetKm * METRES_A_KILOMETRE,
    tags: fields.tags,
    notes: fields.notes,
    tracker_model: fields.trackerModel,
    sim_number: fields.simNumber,
    tracker_id: fields.trackerId,
    protocol: fields.protocol,
    tracker_addresses: fields.trackerAddresses,
    folder_id: idOf(folderId),
    usual_driver_id: idOf(usualDriverId),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

const NOTHING: Omit<VehicleFields, 'imei' | 'name' | 'odometer_offset' | 'tags' | 'tracker_addresses'> = {
  plate: null,
  vin: null,
  type: null,
  make: null,
  model: null,
  year: null,
  fuel_type: null,
  tank_litres: null,
  speed_limit_kmh: null,
  notes: null,
  tracker_model: null,
  sim_number: null,
  tracker_id: null,
  protocol: null,
  folder_id: null,
  usual_driver_id: null,
};

/** All columns, because every row of an insert statement must have the same ones. */
export function toNewColumns(fields: NewVehicleFields): VehicleFields {
  const { imei, deviceName: name } = fields;
  return { ...NOTHING, odometer_offset: 0, tags: [], tracker_addresses: [], ...toColumns(fields), imei, name };
}

export function toVehicle(row: VehicleRow, driving: Driving | null, live: Vehicle['live'], nowMs: number): Vehicle {
  return {
    id: String(row.id),
    imei: row.imei,
    deviceName: row.name,
    plate: row.plate,
    vin: row.vin,
    type: row.type as VehicleType | null,
    make: row.make,
    model: row.model,
    year: row.year,
    fuelType: row.fuel_type as FuelType | null,
    tankLitres: row.tank_litres,
    speedLimitKmh: row.speed_limit_kmh,
    odometerOffsetKm: row.odometer_offset / METRES_A_KILOMETRE,
    tags: row.tags,
    notes: row.notes,
    trackerModel: row.tracker_model,
    simNumber: row.sim_number,
    trackerId: row.tracker_id,
    protocol: row.protocol as TrackerProtocol | null,
    trackerAddresses: row.tracker_addresses,
    folderId: row.folder_id === null ? null : String(row.folder_id),
    usualDriverId: row.usual_driver_id === null ? null : String(row.usual_driver_id),
    driver: driving && { id: String(driving.driver.id), name: driving.driver.name, source: driving.source },
    documentsExpireOn: row.documents_expire_on,
    daysRemaining: row.subscribed_at && daysRemaining(row.subscribed_at.getTime(), nowMs),
    createdAt: row.created_at.toISOString(),
    live,
  };
}
