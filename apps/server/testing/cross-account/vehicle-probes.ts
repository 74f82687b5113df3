import { testImei } from '../imei.ts';
import { namesNothing, type Probe, type Probes } from './probe.ts';

const byId: Probe['call'] = ({ vehicleId }) => ({ params: { id: vehicleId } });
const YESTERDAY = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date().toISOString() };

export const vehicleProbes: Probes = {
  listVehicles: namesNothing,
  listRefusedReports: namesNothing,
  listRefusedFrames: { call: byId, aboutOthers: 404 },
  readVehicle: { call: byId, aboutOthers: 404 },
  createVehicle: {
    // IMEIs are unique in the whole installation; the answer says only that it is taken.
    call: (of, caller) => {
      const imei = of === caller ? testImei(Number(of.vehicleId) + 10_000) : of.imei;
      return { body: { imei, deviceName: `Another ${imei}`, folderId: caller.folderId } };
    },
    aboutOthers: 409,
  },
  updateVehicle: {
    call: ({ vehicleId }) => ({
      params: { id: vehicleId },
      body: { deviceName: `Renamed ${vehicleId}`, plate: 'MINE' },
    }),
    aboutOthers: 404,
  },
  deleteVehicle: { call: byId, aboutOthers: 404 },
  updateVehicles: {
    call: ({ vehicleId }) => ({ body: { ids: [vehicleId], change: { make: 'MINE' } } }),
    aboutOthers: 404,
  },
  exportVehicles: namesNothing,
  renewDeviceKey: { call: byId, aboutOthers: 404 },
  importVehicles: {
    call: (of, caller) => {
      const imei = of === caller ? testImei(Number(of.vehicleId) + 20_000) : of.imei;
      const row = `${imei},Imported ${imei},${caller.marker}`;
      return { query: { dryRun: 'false' }, body: `imei,deviceName,folder\n${row}\n` };
    },
    aboutOthers: 422,
  },
  // Belongs to no account. The caller's account is the operator's here; the vehicles' own tests cover others.
  listUnknownTrackers: namesNothing,
  listUnknownFrames: namesNothing,
  readUnknownFrame: {
    call: async (_of, _caller, { context }) => {
      const frame = { protocol: 'gt06', code: 'bad-checksum', at: 4, frame: Buffer.of(0x78, 0x78), length: 2 };
      const insert = context.db.system.insertInto('unknown_frame').values(frame).returning('id');
      return { params: { id: String((await insert.executeTakeFirstOrThrow()).id) } };
    },
    aboutOthers: 200,
  },
  readTrack: {
    call: ({ vehicleId }) => ({ params: { id: vehicleId }, query: YESTERDAY }),
    aboutOthers: 404,
  },
  downloadTracks: {
    call: ({ vehicleId }) => ({ query: { ...YESTERDAY, vehicles: vehicleId, format: 'csv' } }),
    aboutOthers: 404,
  },
  // Of a geofence of another account; a drawn area names nothing of theirs.
  findVehiclesInside: {
    call: ({ geofenceId }) => ({ body: { ...YESTERDAY, area: { geofenceId } } }),
    aboutOthers: 404,
    outOfScope: 200,
  },
  readVehicleDay: {
    call: ({ vehicleId }) => ({ params: { id: vehicleId }, query: YESTERDAY }),
    aboutOthers: 404,
  },
  listLegs: {
    call: ({ vehicleId }) => ({ params: { id: vehicleId }, query: YESTERDAY }),
    aboutOthers: 404,
  },
  listTrips: {
    call: ({ vehicleId }) => ({ query: { deviceId: vehicleId, ...YESTERDAY } }),
    aboutOthers: 404,
  },
  listStops: {
    call: ({ vehicleId }) => ({ query: { deviceId: vehicleId, ...YESTERDAY } }),
    aboutOthers: 404,
  },
  readFleetDay: namesNothing,
  readFleetAt: { call: () => ({ query: { at: new Date().toISOString() } }), aboutOthers: 200 },
  readFleetPeriod: { call: () => ({ query: { from: '2026-11-01', to: '2026-11-02' } }), aboutOthers: 200 },
  // Chicago, where all test vehicles are; the roads' own tests check whose roads it shows.
  readFleetRoads: { call: () => ({ params: { z: '10', x: '262', y: '380' } }), aboutOthers: 200 },
  // Towns are the same for everyone.
  findTowns: { call: () => ({ query: { q: 'Chicago' } }), aboutOthers: 200 },
  findAddresses: { call: () => ({ query: { q: 'Fulton Market' } }), aboutOthers: 200 },
  latestPositions: namesNothing,
  listPositions: {
    call: ({ vehicleId }) => ({ query: { deviceId: vehicleId, ...YESTERDAY } }),
    aboutOthers: 404,
  },
  listMessages: { call: byId, aboutOthers: 404 },
  listFrames: { call: byId, aboutOthers: 404 },
  listTrackerPorts: namesNothing,
};
