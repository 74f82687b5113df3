import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataImport } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { testImei } from '../../../testing/imei.ts';
import { callerOf } from '../../../testing/organisation.ts';
import { ended, listed, startImport, sweepTransfers } from '../../../testing/transfers.ts';

/** An import goes on without its page: all of it or nothing. */

let server: TestHttpServer;
let owner: SignedIn;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await signedIn(server);
});

const FILE = [
  { format: 'milepost-account', version: 1 },
  { table: 'folder', row: { id: 1, parent_id: null, name: 'North' } },
  { end: { folder: 1 } },
]
  .map(line => JSON.stringify(line))
  .join('\n');
const nothing = (...names: string[]) => Object.fromEntries(names.map(name => [name, null]));
const VEHICLE = {
  ...nothing('protocol', 'folder_id', 'usual_driver_id', 'plate', 'vin', 'type', 'make', 'model', 'year', 'fuel_type'),
  id: 1,
  name: 'Truck',
  odometer_offset: 0,
  tags: [],
};
const POSITION = {
  ...nothing('speed', 'course', 'altitude', 'odometer', 'fuel', 'temperature', 'hdop', 'satellites', 'gsm', 'ignition'),
  ...nothing('event', 'rfid', 'attributes'),
  vehicle_id: 1,
  lat: 41.9,
  lon: -87.68,
  valid: true,
  late: false,
  doubts: 0,
  protocol: 'teltonika',
};
const at = (second: number) => new Date(Date.UTC(2026, 10, 19) + second * 1000).toISOString();
const call = (method: string, path: string) => server.call(method, `/api/v1/data/import${path}`, owner);
const idOf = ({ body }: { readonly body: unknown }) => (body as DataImport).id;
const folders = async () => (await callerOf(server, owner)('GET', '/folder')).body as unknown[];
const files = (folder: string) => readdir(join(server.context.config.dataDir, folder)).catch(() => []);

// Before the runner starts: jobs wait.
it('is one at a time, and leaves nothing when it is cancelled', async () => {
  const first = await startImport(server, owner, FILE);
  const size = { phase: 'check', done: 0, total: 1024 };
  expect(first).toMatchObject({ status: 201, body: { state: 'waiting', ...size, rows: null } });
  expect(await files('imports')).toEqual([idOf(first)]);
  expect(await readFile(join(server.context.config.dataDir, 'imports', idOf(first)), 'utf8')).toBe(FILE);
  expect(await startImport(server, owner, FILE)).toMatchObject({ status: 409, body: { code: 'import-open' } });
  expect((await call('POST', `/${idOf(first)}/cancel`)).body).toMatchObject({ state: 'cancelled', rows: null });
  expect(await files('imports')).toEqual([]);
  const both = await Promise.all([startImport(server, owner, FILE), startImport(server, owner, FILE)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const second = both.find(({ status }) => status === 201) as (typeof both)[number];
  await call('POST', `/${idOf(second)}/cancel`);
  expect([await files('imports'), await files('uploads'), await folders()]).toEqual([[], [], []]);
});

it('says when the account is no longer empty, with nothing changed', async () => {
  const started = await startImport(server, owner, FILE);
  await callerOf(server, owner)('POST', '/folder', { name: 'Meanwhile' });
  expect(await startImport(server, await signedIn(server, { accountId: owner.accountId }), FILE)).toMatchObject({
    status: 409,
    body: { code: 'import-open' },
  });
  server.context.jobs.start();
  const failed = await ended(server, owner, 'import', started);
  expect(failed).toMatchObject({ state: 'failed', rows: null, problem: { code: 'account-not-empty' } });
  expect([await files('imports'), await folders()]).toMatchObject([[], [{ name: 'Meanwhile' }]]);
});

it.each(['check', 'import'])(
  'that is cancelled while in the phase %s leaves nothing [N13]',
  { timeout: 60_000 },
  async phase => {
    const count = 20_000;
    const position = (second: number) => ({
      table: 'position',
      row: { ...POSITION, fix_at: at(second), received_at: at(second) },
    });
    const lines = [
      { format: 'milepost-account', version: 1 },
      { table: 'vehicle', row: { ...VEHICLE, imei: testImei(phase === 'check' ? 990_001 : 990_002) } },
      ...Array.from({ length: count }, (_, second) => position(second)),
      { end: { vehicle: 1, position: count } },
    ];
    server.context.jobs.start();
    const started = await startImport(server, owner, lines.map(line => JSON.stringify(line)).join('\n'));
    const isUnderWay = async () =>
      expect(await listed(server, owner, 'import')).toMatchObject([{ state: 'running', phase }]);
    await vi.waitFor(isUnderWay, { timeout: 35_000, interval: 5 });
    await call('POST', `/${idOf(started)}/cancel`);
    expect(await ended(server, owner, 'import', started)).toMatchObject({
      ...{ state: 'cancelled', phase },
      rows: null,
      problem: null,
    });
    expect([await files('imports'), (await callerOf(server, owner)('GET', '/device')).body]).toEqual([[], []]);
  },
);

it('is done once, with what was imported, and told in the audit log', async () => {
  server.context.jobs.start();
  const done = await ended(server, owner, 'import', await startImport(server, owner, FILE));
  expect(done).toMatchObject({ state: 'done', phase: 'import', done: 1, total: 1, rows: { folder: 1 } });
  expect([await files('imports'), await folders()]).toMatchObject([[], [{ name: 'North' }]]);
  const entries = await server.context.db.system
    .selectFrom('audit_entry')
    .select(['action', 'user_id'])
    .where('account_id', '=', owner.accountId)
    .orderBy('id')
    .execute();
  expect(entries).toEqual([
    { action: 'data.import-started', user_id: owner.userId },
    { action: 'data.imported', user_id: owner.userId },
  ]);
  expect(await listed(server, owner, 'import')).toHaveLength(1);
});

it('leaves no file of an import that is over, or that never began', async () => {
  const folder = join(server.context.config.dataDir, 'imports');
  const { id } = await ended(server, owner, 'import', await startImport(server, owner, FILE));
  // What a server that is killed leaves.
  for (const name of [id, '0191e7a0-0000-4000-8000-000000000000']) await writeFile(join(folder, name), FILE);
  await sweepTransfers(server, Date.now());
  expect(await files('imports')).toHaveLength(2);
  await sweepTransfers(server, Date.now() + 2 * 3_600_000);
  expect(await files('imports')).toEqual([]);
});
