import { readdirSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataExport } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { ended, listed, startExport, sweepTransfers, withoutJobs } from '../../../testing/transfers.ts';
import { openFiles } from '../documents/files.ts';
import { exportLines } from './export.ts';
import { openExports } from './exports.ts';
import { openKeptFiles } from './kept-files.ts';

/** An export goes on without its page, and is kept for a while. */

const DAY = 86_400_000;
let server: TestHttpServer;
let owner: SignedIn;
let folder: string;
beforeAll(async () => {
  server = await startHttpServer();
  folder = join(server.context.config.dataDir, 'exports');
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await signedIn(server);
});

const call = (method: string, path: string, who = owner) => server.call(method, `/api/v1/data/export${path}`, who);
const idOf = ({ body }: { readonly body: unknown }) => (body as DataExport).id;
const exportsOf = () => listed(server, owner, 'export');
const isKept = (id: string) => readdirSync(folder).some(name => name.startsWith(id));
async function one(): Promise<DataExport> {
  server.context.jobs.start();
  return ended(server, owner, 'export', await startExport(server, owner, { positions: false }));
}
const sweep = (nowMs: number) => sweepTransfers(server, nowMs);
const audited = async () =>
  (
    await server.context.db.system
      .selectFrom('audit_entry')
      .select(['action', 'target_name'])
      .where('account_id', '=', owner.accountId)
      .where('action', 'like', 'data.%')
      .orderBy('id')
      .execute()
  ).map(({ action, target_name }) => [action, target_name]);

// Before the runner starts: jobs wait.
it('is one at a time, and can be cancelled before it begins', async () => {
  const first = await startExport(server, owner);
  expect(first).toMatchObject({ status: 201, body: { state: 'waiting', done: 0, total: 1, file: null } });
  const second = await startExport(server, owner);
  expect(second).toMatchObject({ status: 409, body: { code: 'export-open' } });
  // Another account's is its own.
  const stranger = await signedIn(server);
  expect((await startExport(server, stranger)).status).toBe(201);
  expect((await call('GET', `/${idOf(first)}/file`)).status).toBe(404);
  const cancelled = await call('POST', `/${idOf(first)}/cancel`);
  expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled', file: null } });
  expect((await call('POST', `/${idOf(first)}/cancel`)).body).toMatchObject({ state: 'cancelled' });
  expect((await startExport(server, owner)).status).toBe(201);
  const name = expect.stringMatching(/^milepost-\d{4}-\d\d-\d\d\.ndjson$/);
  expect(await audited()).toEqual([
    ['data.export-started', name],
    ['data.export-canceled', name],
    ['data.export-started', name],
  ]);
});

it('says how many vehicles are done, and is downloaded and deleted by who may read the data', async () => {
  const { id } = await addNamedVehicle(server, owner.accountId, 'Truck');
  await addNamedVehicle(server, owner.accountId, 'Trailer');
  const positions = Array.from({ length: 3 }, (_, n) => receivedPosition(Date.now() - n * 1000));
  await storePositions(server, owner.accountId, Number(id), positions.toReversed());
  server.context.jobs.start();
  const done = await ended(server, owner, 'export', await startExport(server, owner));
  expect(done).toMatchObject({ state: 'done', done: 2, total: 2, positions: true, startedBy: owner.userName });
  expect(done.file).toMatchObject({ rows: { vehicle: 2, position: 3 }, bytes: expect.any(Number) });
  expect(Date.parse(done.file?.expiresAt ?? '') - Date.parse(done.endedAt ?? '')).toBe(7 * DAY);
  const reader = await signedIn(server, { accountId: owner.accountId, role: 'admin' });
  const file = await call('GET', `/${done.id}/file`, reader);
  expect(Buffer.byteLength(file.text)).toBe(done.file?.bytes);
  expect(file.headers.get('content-disposition')).toContain(done.file?.name);
  const viewer = await signedIn(server, { accountId: owner.accountId, role: 'viewer' });
  expect((await call('GET', `/${done.id}/file`, viewer)).status).toBe(403);
  expect(await call('DELETE', `/${done.id}`, reader)).toMatchObject({ status: 200 });
  expect(isKept(done.id)).toBe(false);
  expect(await exportsOf()).toEqual([]);
  expect((await call('DELETE', `/${done.id}`)).status).toBe(404);
  expect((await audited()).map(([action]) => action)).toEqual([
    'data.export-started',
    'data.exported',
    'data.export-deleted',
  ]);
});

it('is kept with the two before it', { timeout: 60_000 }, async () => {
  const ids: string[] = [];
  for (let made = 0; made < 4; made++) ids.push((await one()).id);
  expect((await exportsOf()).map(({ id }) => id)).toEqual(ids.slice(1).toReversed());
  expect(ids.map(isKept)).toEqual([false, true, true, true]);
});

it('expires after seven days, whether or not it has been removed by then', { timeout: 60_000 }, async () => {
  const { id } = await one();
  await sweep(Date.now() + 7 * DAY - 60_000);
  expect(isKept(id)).toBe(true);
  await server.context.db.system
    .updateTable('job')
    .set({ ended_at: new Date(Date.now() - 7 * DAY) })
    .where('id', '=', id)
    .execute();
  expect(await exportsOf()).toEqual([]);
  expect((await call('GET', `/${id}/file`)).status).toBe(404);
  await sweep(Date.now());
  expect(isKept(id)).toBe(false);
});

it('leaves no file behind when its account is deleted, or its server killed', { timeout: 60_000 }, async () => {
  const { id } = await one();
  // What is cut off in the middle leaves this, of a job that is over and of one that nobody knows.
  const [part, orphan] = [`${id}.${'a'.repeat(16)}.part`, '0191e7a0-0000-4000-8000-000000000000'];
  for (const name of [part, orphan]) await writeFile(join(folder, name), 'half of it');
  const later = Date.now() + 2 * 3_600_000;
  await sweep(later);
  const left = await readdir(folder);
  expect(left).toContain(id);
  expect(left).not.toContain(part);
  expect(left).not.toContain(orphan);
  await server.context.db.system.deleteFrom('account').where('id', '=', owner.accountId).execute();
  await sweep(later);
  expect(isKept(id)).toBe(false);
});

const direct = () => {
  const { accountId } = owner;
  return exportLines(server.context, openFiles(server.context.config.dataDir), { accountId, positions: false });
};
const addFolders = (...names: string[]) =>
  server.context.db.system
    .insertInto('folder')
    .values(names.map(name => ({ account_id: owner.accountId, name })))
    .execute();

it('reads all that people keep as it was at one moment, page by page', async () => {
  const names = Array.from({ length: 450 }, (_, nth) => `Folder ${String(nth).padStart(3, '0')}`);
  await addFolders(...names);
  const lines = direct();
  const header = await lines.next();
  expect(JSON.parse(String(header.value))).toMatchObject({ format: 'milepost-account' });
  // Its pages come after this.
  await addFolders('Too late');
  await server.context.db.system
    .updateTable('folder')
    .set({ name: 'Renamed' })
    .where('account_id', '=', owner.accountId)
    .where('name', '=', names.at(-1) ?? '')
    .execute();
  const found: string[] = [];
  for await (const line of lines) {
    const { row, table } = JSON.parse(line) as { readonly table?: string; readonly row: { readonly name: string } };
    if (table === 'folder') found.push(row.name);
  }
  expect(found).toEqual(names);
});

it('gives its connection back when nobody wants the rest', async () => {
  await addFolders(...Array.from({ length: 450 }, (_, nth) => `Folder ${nth}`));
  const { pool } = server.context.db;
  const inUse = () => pool.totalCount - pool.idleCount;
  // More than the pool has connections.
  for (let nth = 0; nth < 15; nth++) {
    const lines = direct();
    for (let line = 0; line < 3; line++) await lines.next();
    await lines.return({});
  }
  await expect.poll(inUse).toBe(0);
});

it('stops before the disk is full, and leaves nothing', async () => {
  const full = openKeptFiles(join(server.context.config.dataDir, 'full'), Number.MAX_SAFE_INTEGER);
  const lines = async function* () {
    yield 'a line\n';
  };
  await expect(full.write(owner.userId, lines(), new AbortController().signal)).rejects.toMatchObject({
    code: 'disk-full',
  });
  const { config } = server.context;
  const nothing = { keptFree: Number.MAX_SAFE_INTEGER };
  const exports = openExports(withoutJobs(server.context), openFiles(config.dataDir), nothing);
  const session = { accountId: owner.accountId, userId: owner.userId };
  const start = exports.start({ session, author: null } as never, { positions: false });
  await expect(start).rejects.toMatchObject({ code: 'disk-full', status: 507 });
  expect(await readdir(full.folder)).toEqual([]);
  expect(await exportsOf()).toEqual([]);
});

it('that is cancelled or fails while it is written leaves nothing', async () => {
  const files = openKeptFiles(join(server.context.config.dataDir, 'aborted'));
  const controller = new AbortController();
  const lines = async function* () {
    yield 'a line\n';
    controller.abort();
    yield 'another\n';
  };
  expect(await files.write(owner.userId, lines(), controller.signal)).toBeNull();
  const failing = async function* () {
    yield 'a line\n';
    throw new Error('The database is gone');
  };
  await expect(files.write(owner.userId, failing(), new AbortController().signal)).rejects.toThrow('is gone');
  expect(await readdir(files.folder)).toEqual([]);
});
