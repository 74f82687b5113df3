import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULTS, writeSettings } from '../../src/backup/settings.ts';
import type { TestHttpServer } from '../http-server.ts';
import { testPicture } from '../picture.ts';
import { streetMap } from '../street-map.ts';
import { UNKNOWN_IDS, type UserWithData } from './account-data.ts';
import { namesNothing, type Probe, type Probes } from './probe.ts';

const ofVehicle = ({ vehicleId, documentId }: UserWithData) => ({ id: vehicleId, documentId });
const ofDriver = ({ driverId, driverDocumentId }: UserWithData) => ({ id: driverId, documentId: driverDocumentId });

async function aForm(content: Blob, fields: Readonly<Record<string, string>> = {}): Promise<FormData> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', content, 'a file');
  return body;
}
const aDocument = () => aForm(new Blob(['%PDF-1.7']), { kind: 'other', title: 'Mine', expiresOn: '' });

async function withFiles(of: UserWithData, { context }: TestHttpServer): Promise<void> {
  const folder = join(context.config.dataDir, 'documents');
  await mkdir(folder, { recursive: true });
  for (const name of of.files) await writeFile(join(folder, name), `%PDF- of ${of.marker}`);
}

const picture: Probe = {
  call: async ({ accountId }) => ({
    params: { id: String(accountId) },
    body: await aForm(await testPicture('png')),
  }),
  aboutOthers: 404,
};
const tenant = (body?: unknown): Probe => ({
  call: ({ accountId }) => ({ params: { id: String(accountId) }, ...(body !== undefined && { body }) }),
  aboutOthers: 404,
});

/** An export or import of theirs, with its file; one that does not exist of those who do not. */
async function transfer(
  { context }: TestHttpServer,
  { accountId, userId, marker, vehicleId }: UserWithData,
  kind: 'data-export' | 'data-import' | 'move-in',
  state: 'waiting' | 'done' = 'waiting',
): Promise<string> {
  const id = randomUUID();
  if (vehicleId === UNKNOWN_IDS.vehicleId) return id;
  const { system } = context.db;
  // At most one is open.
  await system.deleteFrom('job').where('account_id', '=', accountId).where('kind', '=', kind).execute();
  const isDone = state === 'done';
  await system
    .insertInto('job')
    .values({
      id,
      account_id: accountId,
      user_id: userId,
      kind,
      state,
      about: JSON.stringify({ positions: true, source: 'tracks', dryRun: true, files: [marker] }),
      work: '{}',
      total: 1,
      ended_at: isDone ? new Date() : null,
      result: isDone ? JSON.stringify({ bytes: 7, rows: { [marker]: 1 } }) : null,
    })
    .execute();
  if (kind === 'move-in') return id;
  const folder = join(context.config.dataDir, kind === 'data-export' ? 'exports' : 'imports');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, id), marker);
  return id;
}
/** A file that they have uploaded; one that does not exist of those who do not. */
async function moveInFile(
  { context }: TestHttpServer,
  { accountId, marker, vehicleId }: UserWithData,
): Promise<string> {
  const id = randomUUID();
  if (vehicleId === UNKNOWN_IDS.vehicleId) return id;
  const folder = join(context.config.dataDir, 'move-ins', String(accountId));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, id), `time,lat,lon\n${marker},1,2\n`);
  return id;
}
const ofJob = (id: string) => ({ params: { id } });

/** An import needs an account without data. */
async function emptied({ accountId }: UserWithData, { context }: TestHttpServer): Promise<void> {
  const { db, feed } = context;
  for (const table of ['vehicle', 'driver', 'department', 'folder'] as const) {
    await db.system.deleteFrom(table).where('account_id', '=', accountId).execute();
  }
  await feed.settled();
}

function exportWith(imei: string): string {
  const nothing = Object.fromEntries(
    ['protocol', 'folder_id', 'usual_driver_id', 'plate', 'vin', 'type', 'make', 'model', 'year', 'fuel_type'].map(
      name => [name, null],
    ),
  );
  const row = { ...nothing, id: 1, imei, name: 'Imported', odometer_offset: 0, tags: [] };
  const lines = [{ format: 'milepost-account', version: 1 }, { table: 'vehicle', row }, { end: { vehicle: 1 } }];
  return lines.map(line => JSON.stringify(line)).join('\n');
}

async function backupSettings({ context }: Pick<TestHttpServer, 'context'>) {
  const folder = join(context.config.dataDir, 'backups');
  await mkdir(folder, { recursive: true });
  return {
    ...{ kind: 'folder', folder, endpoint: '', region: '', bucket: '', prefix: '', accessKey: '', secretKey: '' },
    ...{ everyHours: 24, keepDays: 14, verifyDays: 7, withMaps: false },
  };
}

export const tenancyProbes: Probes = {
  readTenant: namesNothing,
  readTenantOfHost: namesNothing,
  updateTenant: tenant({ name: 'Mine', primaryColour: '#123456' }),
  updateTenantLogo: picture,
  deleteTenantLogo: tenant(),
  updateTenantSplash: picture,
  deleteTenantSplash: tenant(),

  listSubscriptions: namesNothing,
  updateSubscription: {
    call: ({ subscriptionId }) => ({ params: { id: subscriptionId }, body: { daysRemaining: 9999 } }),
    aboutOthers: 404,
  },

  readSettings: namesNothing,
  readSettingChanges: namesNothing,
  updateSettings: { call: () => ({ body: { currency: 'EUR' } }), aboutOthers: 200 },

  // Belongs to the installation, not to an account; the maps' own tests cover accounts that are not the operator's.
  readBaseMap: namesNothing,
  readPublicBaseMap: namesNothing,
  readMapChoice: namesNothing,
  updateMapChoice: { call: () => ({ body: { kind: 'built-in' } }), aboutOthers: 200 },
  uploadMapFile: { call: () => ({ params: { name: 'streets.pmtiles' }, body: streetMap() }), aboutOthers: 201 },
  deleteMapFile: {
    call: async (_of, _caller, { context }) => {
      const folder = join(context.config.dataDir, 'maps');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'old.pmtiles'), streetMap());
      return { params: { name: 'old.pmtiles' } };
    },
    aboutOthers: 200,
  },

  // Belongs to the installation, too.
  readBackup: namesNothing,
  updateBackup: {
    call: async (_of, _caller, server) => ({ body: await backupSettings(server) }),
    aboutOthers: 200,
  },
  deleteBackup: namesNothing,
  runBackup: {
    call: async (_of, _caller, server) => {
      const place = { kind: 'folder', folder: (await backupSettings(server)).folder } as const;
      await writeSettings(server.context.config.dataDir, { ...DEFAULTS, place });
      return { body: { what: 'copy' } };
    },
    aboutOthers: 200,
  },

  listExports: {
    call: async (of, _, server) => {
      await transfer(server, of, 'data-export');
      return {};
    },
    aboutOthers: 200,
  },
  startExport: { call: () => ({ body: { positions: false } }), aboutOthers: 201 },
  cancelExport: { call: async (of, _, server) => ofJob(await transfer(server, of, 'data-export')), aboutOthers: 404 },
  deleteExport: {
    call: async (of, _, server) => ofJob(await transfer(server, of, 'data-export', 'done')),
    aboutOthers: 404,
  },
  readExportFile: {
    call: async (of, _, server) => ofJob(await transfer(server, of, 'data-export', 'done')),
    aboutOthers: 404,
  },
  listImports: {
    call: async (of, _, server) => {
      await transfer(server, of, 'data-import');
      return {};
    },
    aboutOthers: 200,
  },
  startImport: {
    call: async (of, caller, server) => {
      await emptied(caller, server);
      return { body: exportWith(of.imei) };
    },
    aboutOthers: 201,
    usesUp: true,
  },
  cancelImport: { call: async (of, _, server) => ofJob(await transfer(server, of, 'data-import')), aboutOthers: 404 },
  uploadMoveInFile: { call: () => ({ body: 'time,lat,lon\n' }), aboutOthers: 201 },
  deleteMoveInFile: { call: async (of, _, server) => ofJob(await moveInFile(server, of)), aboutOthers: 404 },
  listMoveIns: {
    call: async (of, _, server) => {
      await transfer(server, of, 'move-in');
      return {};
    },
    aboutOthers: 200,
  },
  startMoveIn: {
    call: async (of, _, server) => ({
      body: { source: 'tracks', dryRun: true, files: [{ id: await moveInFile(server, of), name: 'a.csv' }] },
    }),
    aboutOthers: 404,
  },
  cancelMoveIn: { call: async (of, _, server) => ofJob(await transfer(server, of, 'move-in')), aboutOthers: 404 },

  listVehicleDocuments: { call: ({ vehicleId }) => ({ params: { id: vehicleId } }), aboutOthers: 404 },
  createVehicleDocument: {
    call: async ({ vehicleId }) => ({ params: { id: vehicleId }, body: await aDocument() }),
    aboutOthers: 404,
  },
  updateVehicleDocument: { call: of => ({ params: ofVehicle(of), body: { title: 'Mine' } }), aboutOthers: 404 },
  deleteVehicleDocument: {
    // Their document, requested through the caller's own vehicle.
    call: (of, caller) => ({ params: { ...ofVehicle(caller), documentId: of.documentId } }),
    aboutOthers: 404,
  },
  readVehicleDocumentFile: {
    call: async (of, _caller, server) => {
      await withFiles(of, server);
      return { params: ofVehicle(of) };
    },
    aboutOthers: 404,
  },
  listDriverDocuments: { call: ({ driverId }) => ({ params: { id: driverId } }), aboutOthers: 404 },
  createDriverDocument: {
    call: async ({ driverId }) => ({ params: { id: driverId }, body: await aDocument() }),
    aboutOthers: 404,
  },
  updateDriverDocument: { call: of => ({ params: ofDriver(of), body: { title: 'Mine' } }), aboutOthers: 404 },
  deleteDriverDocument: {
    call: (of, caller) => ({ params: { ...ofDriver(caller), documentId: of.driverDocumentId } }),
    aboutOthers: 404,
  },
  listMyDocuments: namesNothing,
  readMyDocumentFile: {
    call: async (of, caller, server) => {
      await withFiles(of, server);
      const ownDriver = server.context.db.system.updateTable('driver').set({ user_id: caller.userId });
      await ownDriver.where('id', '=', Number(caller.driverId)).execute();
      return { params: { documentId: of.driverDocumentId } };
    },
    aboutOthers: 404,
  },
  readDriverDocumentFile: {
    call: async (of, _caller, server) => {
      await withFiles(of, server);
      return { params: ofDriver(of) };
    },
    aboutOthers: 404,
  },
};
