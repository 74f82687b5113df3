import type { Folder, Vehicle } from '@milepost/contract';

let nextId = 1;

/** A vehicle that has never reported, as the server answers. */
export const vehicle = (deviceName: string, changes: Partial<Vehicle> = {}): Vehicle => ({
  id: String(nextId++),
  imei: `35630704244${String(nextId).padStart(4, '0')}`,
  deviceName,
  plate: null,
  vin: null,
  type: null,
  make: null,
  model: null,
  year: null,
  fuelType: null,
  tankLitres: null,
  speedLimitKmh: null,
  odometerOffsetKm: 0,
  tags: [],
  notes: null,
  trackerModel: null,
  simNumber: null,
  trackerId: null,
  protocol: null,
  trackerAddresses: [],
  folderId: null,
  usualDriverId: null,
  driver: null,
  documentsExpireOn: null,
  daysRemaining: 364,
  createdAt: '2026-11-20T15:00:00Z',
  live: {
    motion: null,
    motionSince: null,
    fixAt: null,
    heardAt: null,
    gpsValid: false,
    intervalS: null,
    lat: null,
    lon: null,
  },
  ...changes,
});

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
