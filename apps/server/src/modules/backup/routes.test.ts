import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Backup } from '@milepost/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { keyText, parseKey } from '../../backup/key.ts';
import { changeState, DEFAULTS, NO_STATE, readState, writeSettings } from '../../backup/settings.ts';
import { troubleOf } from '../../backup/trouble.ts';
import { warnOwners } from './backup.ts';

let server: TestHttpServer;
let owner: Awaited<ReturnType<typeof signedIn>>;
let folder: string;
beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server, { operator: true });
  folder = join(server.context.config.dataDir, 'store');
});
afterAll(() => server.close());

const settings = (changes: object = {}) => ({
  ...{ kind: 'folder', folder, endpoint: '', region: '', bucket: '', prefix: '', accessKey: '', secretKey: '' },
  ...{ everyHours: 24, keepDays: 14, verifyDays: 7, withMaps: false },
  ...changes,
});
const put = (body: object, token = owner.token) => server.call('PUT', '/api/v1/backup', { token, body });
const read = async (token = owner.token) => server.call('GET', '/api/v1/backup', { token });

it('is for owners of the account that runs the installation, and shows a visitor nothing of the machine', async () => {
  const elsewhere = await signedIn(server);
  const admin = await signedIn(server, { accountId: owner.accountId, role: 'admin' });
  for (const { token } of [elsewhere, admin]) {
    for (const [method, path, body] of [
      ['GET', 'backup'],
      ['PUT', 'backup', settings()],
      ['DELETE', 'backup'],
      ['POST', 'backup/run', { what: 'copy' }],
    ] as const) {
      expect((await server.call(method, `/api/v1/${path}`, { token, ...(body && { body }) })).status).toBe(403);
    }
  }
  await writeSettings(server.context.config.dataDir, { ...DEFAULTS, place: { kind: 'folder', folder: '/secret' } });
  const visitor = await signedIn(server, { accountId: owner.accountId, readOnly: true });
  expect((await read(visitor.token)).text).not.toContain('secret');
  expect((await read()).text).toContain('/secret');
  await server.call('DELETE', '/api/v1/backup', { token: owner.token });
});

it('says why a place can’t be used, and sets nothing up', async () => {
  expect((await put(settings({ folder: 'relative' }))).body).toMatchObject({ errors: [{ field: 'folder' }] });
  expect((await put(settings({ kind: 's3', endpoint: 'ftp://x' }))).status).toBe(400);
  expect((await put(settings())).body).toMatchObject({
    title: expect.stringContaining('the folder is gone. Is its disk mounted?'),
  });
  mkdirSync(folder);
  writeFileSync(join(folder, 'holiday.jpg'), '');
  expect((await put(settings())).body).toMatchObject({ title: expect.stringContaining('holds other files') });
  expect((await read()).body).toMatchObject({ settings: null, trouble: null });
});

it('shows the key once, and keeps it in the data folder', async () => {
  folder = join(server.context.config.dataDir, 'empty-store');
  mkdirSync(folder);
  const first = (await put(settings())).body as { key: string; backup: Backup };
  expect(first.backup.settings).toMatchObject({ kind: 'folder', folder });
  expect(keyText(parseKey(first.key))).toBe(first.key);
  expect(readFileSync(join(server.context.config.dataDir, 'backup/key'), 'utf8').trim()).toBe(first.key);
  expect((await put(settings({ keepDays: 30 }))).body).toMatchObject({
    key: null,
    backup: { settings: { keepDays: 30 } },
  });
  expect((await read()).text).not.toContain(first.key);
});

it('finds trouble, worst first, and writes to the owners once a day', async () => {
  const now = Date.now();
  const hour = 3_600_000;
  const set = { ...DEFAULTS, place: { kind: 'folder', folder } as const };
  const last = { atMs: now - hour, tookMs: 1, bytes: 1, writtenBytes: 1 };
  const well = { ...NO_STATE, last, throughMs: now - 60_000, sinceMs: now - 10 * hour };
  const failure = { atMs: now, message: 'full' };
  const of = (changes: object) => troubleOf(set, { ...well, ...changes }, { isEmbedded: true, nowMs: now });
  expect(troubleOf(null, NO_STATE, { isEmbedded: true, nowMs: now })).toBeNull();
  expect(of({})).toBeNull();
  expect(of({ throughMs: now - hour })).toBe('journal-behind');
  expect(of({ last: { ...last, atMs: now - 38 * hour } })).toBe('copy-old');
  expect(of({ failures: { copy: failure, journal: null, verify: failure } })).toBe('copy-failed');
  expect(of({ failures: { copy: null, journal: failure, verify: null } })).toBeNull();
  expect(of({ throughMs: now - hour, failures: { copy: null, journal: failure, verify: null } })).toBe(
    'journal-failed',
  );
  expect(troubleOf({ ...set, pausedSince: 1 }, well, { isEmbedded: true, nowMs: now })).toBe('paused');

  const sent: { to: string; text: string }[] = [];
  const { config, db } = server.context;
  const mailer = { ...server.context.mailer, send: (mail: { to: string; text: string }) => void sent.push(mail) };
  await db.system
    .updateTable('app_user')
    .set({ email: 'ann@example.com', password_hash: 'x' })
    .where('id', '=', owner.userId)
    .execute();
  const warn = (trouble: Parameters<typeof warnOwners>[1]) => warnOwners({ config, db, mailer }, trouble);
  await warn('copy-failed');
  await warn('copy-failed');
  expect(sent).toEqual([expect.objectContaining({ to: 'ann@example.com' })]);
  await warn('copy-old');
  expect(sent).toHaveLength(2);
  await changeState(config.dataDir, state => ({ ...state, warned: { trouble: 'copy-old', atMs: now - 25 * hour } }));
  await warn('copy-old');
  expect(sent).toHaveLength(3);
  await warn(null);
  expect((await readState(config.dataDir)).warned).toBeNull();
});
