import { namesNothing, ownThing, type Probe, type Probes } from './probe.ts';

const aFolder: Probe['call'] = ({ folderId }) => ({ params: { id: folderId } });
const aDepartment: Probe['call'] = ({ departmentId }) => ({ params: { id: departmentId } });
const aDriver: Probe['call'] = ({ driverId }) => ({ params: { id: driverId } });

const LAST_HOURS = {
  from: new Date(Date.now() - 2 * 3_600_000).toISOString(),
  to: new Date(Date.now() + 3_600_000).toISOString(),
};
const LOOKS = { from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };

export const organisationProbes: Probes = {
  readOverview: {
    call: ({ folderId }) => ({ query: { from: '2026-11-16', to: '2026-11-22', folderId } }),
    aboutOthers: 404,
  },
  readOverviewOutcomes: {
    call: ({ folderId }) => ({ query: { from: '2026-11-16', to: '2026-11-22', folderId } }),
    aboutOthers: 404,
  },
  listFolders: namesNothing,
  createFolder: {
    call: ({ folderId }) => ({ body: { name: 'Inside', parentId: folderId } }),
    aboutOthers: 404,
  },
  updateFolder: {
    call: ({ folderId }) => ({ params: { id: folderId }, body: { name: `Mine ${folderId}` } }),
    aboutOthers: 404,
  },
  deleteFolder: { call: aFolder, aboutOthers: 404 },
  assignFolder: {
    // Moves their vehicle into the caller's folder; the module's own tests cover their folder.
    call: ({ vehicleId }, { folderId }) => ({ params: { id: folderId }, body: { devices: [vehicleId] } }),
    aboutOthers: 404,
  },
  listDepartments: namesNothing,
  createDepartment: {
    call: ({ departmentId }) => ({ body: { name: 'Inside', parentId: departmentId } }),
    aboutOthers: 404,
  },
  updateDepartment: {
    call: ({ departmentId }) => ({ params: { id: departmentId }, body: { name: `Mine ${departmentId}` } }),
    aboutOthers: 404,
  },
  deleteDepartment: { call: aDepartment, aboutOthers: 404 },
  assignDepartment: {
    call: ({ driverId }, { departmentId }) => ({ params: { id: departmentId }, body: { drivers: [driverId] } }),
    aboutOthers: 404,
  },
  listDrivers: namesNothing,
  createDriver: {
    call: ({ departmentId }) => ({ body: { name: 'Ann', departmentId } }),
    aboutOthers: 404,
    outOfScope: 400,
  },
  readDriver: { call: aDriver, aboutOthers: 404 },
  updateDriver: {
    call: ({ driverId }) => ({ params: { id: driverId }, body: { name: 'Mine' } }),
    aboutOthers: 404,
  },
  deleteDriver: { call: aDriver, aboutOthers: 404 },
  assignVehicle: {
    call: ({ vehicleId }, { driverId }) => ({ params: { id: driverId }, body: { deviceId: vehicleId } }),
    aboutOthers: 404,
  },
  readMyDriver: namesNothing,
  // Names everyone who can see the driver, so that the driver knows, whatever the driver sees.
  readMyPrivacy: { ...namesNothing, isForAll: true },
  listMyLooks: { call: () => ({ query: LOOKS }), aboutOthers: 200 },
  listLooksOf: { call: ({ driverId }) => ({ params: { id: driverId }, query: LOOKS }), aboutOthers: 404 },
  readPrivacyOverview: namesNothing,
  switchPrivateDrive: ownThing(() => ({ isOn: false })),
  listPrivateHours: namesNothing,
  setPrivateHours: {
    call: ({ driverId }) => ({
      body: { driverId, vehicleId: null, times: [{ days: [6], from: '08:00', to: '18:00' }] },
    }),
    aboutOthers: 404,
  },
  openHiddenPositions: {
    call: ({ vehicleId }) => ({
      params: { id: vehicleId },
      body: { ...LAST_HOURS, reason: 'The driver does not answer' },
    }),
    aboutOthers: 404,
  },
};
