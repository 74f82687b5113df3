import type { Folder, Vehicle } from '@milepost/contract';
import { vehicle as listed } from '../src/live/testing/fleet.ts';

let nextId = 1;

/** A vehicle that has never reported, as the server answers. */
export function vehicle(deviceName: string, changes: Partial<Vehicle> = {}): Vehicle {
  const id = String(nextId++);
  const imei = `35630704244${id.padStart(4, '0')}`;
  return listed(imei, { id, deviceName, protocol: null, daysRemaining: 364, ...changes });
}

/** A folder with those of the vehicles that are in it. */
export const folder = (id: string, name: string, vehicles: readonly Vehicle[]): Folder => ({
  id,
  name,
  parentId: null,
  is_checked: false,
  devices: vehicles
    .filter(({ folderId }) => folderId === id)
    .map(({ id: deviceId, imei, deviceName }) => ({ id: deviceId, imei, deviceName, is_checked: false })),
});
