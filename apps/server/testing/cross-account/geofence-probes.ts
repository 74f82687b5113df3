import { namesNothing, type Probe, type Probes } from './probe.ts';

const aGeofence: Probe['call'] = ({ geofenceId }) => ({ params: { id: geofenceId } });
const aGroup: Probe['call'] = ({ geofenceGroupId }) => ({ params: { id: geofenceGroupId } });
const YESTERDAY = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date().toISOString() };
const CIRCLE = { kind: 'circle', center: [-87.68, 41.9], radiusM: 150 };

/** Everybody in the account sees its geofences. */
export const geofenceProbes: Probes = {
  listGeofences: { ...namesNothing, isForAll: true },
  createGeofence: {
    call: ({ vehicleId, folderId, geofenceGroupId, marker }) => ({
      body: {
        name: `${marker} yard`,
        shape: CIRCLE,
        groupId: geofenceGroupId,
        vehicles: { folderIds: [folderId], deviceIds: [vehicleId] },
      },
    }),
    aboutOthers: 400,
  },
  importGeofences: {
    call: ({ geofenceGroupId, marker }) => ({
      body: { geofences: [{ name: `${marker} dock`, shape: CIRCLE, groupId: geofenceGroupId }] },
    }),
    aboutOthers: 400,
  },
  updateGeofence: {
    call: ({ geofenceId, marker }) => ({
      params: { id: geofenceId },
      body: { name: `${marker} gate`, shape: CIRCLE },
    }),
    aboutOthers: 404,
  },
  updateGeofences: {
    call: ({ geofenceId, geofenceGroupId }) => ({
      body: { ids: [geofenceId], change: { color: 'plum', groupId: geofenceGroupId } },
    }),
    aboutOthers: 404,
  },
  deleteGeofences: { call: ({ geofenceId }) => ({ body: { ids: [geofenceId] } }), aboutOthers: 404 },
  deleteGeofence: { call: aGeofence, aboutOthers: 404 },
  listGeofenceGroups: { ...namesNothing, isForAll: true },
  createGeofenceGroup: { call: () => ({ body: { name: 'Terminals', color: 'teal' } }), aboutOthers: 201 },
  updateGeofenceGroup: {
    call: ({ geofenceGroupId }) => ({ params: { id: geofenceGroupId }, body: { color: 'orange' } }),
    aboutOthers: 404,
  },
  deleteGeofenceGroup: { call: aGroup, aboutOthers: 404 },
  suggestGeofences: namesNothing,
  listVisits: {
    call: ({ geofenceId, vehicleId }) => ({ query: { geofenceId, deviceId: vehicleId, ...YESTERDAY } }),
    aboutOthers: 404,
  },
  listInside: { call: ({ vehicleId }) => ({ query: { vehicles: vehicleId } }), aboutOthers: 200 },
};
