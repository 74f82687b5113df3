import type { LiveState, PositionReport, Vehicle } from '@milepost/contract';

/** Vehicles and messages as the server sends them, for tests. */

export const NO_DATA: LiveState = {
  motion: null,
  motionSince: null,
  fixAt: null,
  heardAt: null,
  gpsValid: false,
  intervalS: null,
  lat: null,
  lon: null,
};

export function vehicle(imei: string, rest: Partial<Vehicle> = {}): Vehicle {
  return {
    id: String(Number(imei.slice(-4))),
    imei,
    deviceName: `Unit ${imei.slice(-4)}`,
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
    trackerAddresses: [],
    folderId: null,
    usualDriverId: null,
    driver: null,
    documentsExpireOn: null,
    daysRemaining: null,
    protocol: 'teltonika',
    createdAt: '2026-11-01T00:00:00.000Z',
    live: NO_DATA,
    ...rest,
  };
}

/** A report with a fix at `atMs`, received half a second later by default. */
export function report(imei: string, atMs: number, rest: Partial<PositionReport> = {}): PositionReport {
  const fixAt = new Date(atMs).toISOString();
  return {
    address: null,
    deviceId: String(Number(imei.slice(-4))),
    deviceName: `Unit ${imei.slice(-4)}`,
    eventType: null,
    fuelGage: null,
    gpsStatus: 'A',
    gsmStatus: null,
    ignitionStatus: 1,
    imei,
    lat: 41.88,
    lon: -87.63,
    mileage: null,
    reportDate: fixAt.slice(0, 10),
    reportTime: fixAt.slice(11, 19),
    rfid: null,
    speed: 48,
    temp: null,
    course: 90,
    receivedAt: new Date(atMs + 500).toISOString(),
    late: false,
    ...rest,
  };
}

/** The state that the server derives from a moving vehicle's report. */
export function movingState(atMs: number, rest: Partial<LiveState> = {}): LiveState {
  return {
    motion: 'moving',
    motionSince: new Date(atMs - 60_000).toISOString(),
    fixAt: new Date(atMs).toISOString(),
    heardAt: new Date(atMs + 500).toISOString(),
    gpsValid: true,
    intervalS: 10,
    lat: 41.88,
    lon: -87.63,
    ...rest,
  };
}
