import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { PASSWORD } from '../../../testing/people.ts';
import { createOwner } from './accounts.ts';

const BASE = 'http://fleet.example:8080';
let server: TestHttpServer;
afterEach(() => server.close());

const tokenIn = (link: string | null): string => new URLSearchParams(new URL(link ?? '').hash.slice(1)).get('owner')!;
const fileOf = (): string => join(server.context.config.dataDir, 'owner-link');
const needsOwner = async (): Promise<unknown> =>
  ((await server.call('GET', '/api/v1/client_settings')).body as { needsOwner: boolean }).needsOwner;
const create = (token: string, change: Record<string, unknown> = {}) =>
  server.call('POST', '/api/v1/first_owner', { body: { token, userName: 'ann', password: PASSWORD, ...change } });

/** As another server of the installation: its link, and nobody's file but the last one's. */
const offeredElsewhere = async (isRunning: boolean): Promise<string> => {
  const [id, secret] = [randomUUID(), randomBytes(32).toString('base64url')];
  const { system } = server.context.db;
  const seen_at = isRunning ? new Date() : new Date(Date.now() - 60_000);
  await system.insertInto('node').values({ id, version: '1', address: '', bus_away_since: null, seen_at }).execute();
  const hash = createHash('sha256').update(secret).digest();
  await system.insertInto('first_owner_link').values({ hash, node: id }).execute();
  return secret;
};

describe('[R2.02] the owner of a new installation', () => {
  it('is created with the link, once, signed in, and led through the setup', async () => {
    server = await startHttpServer();
    const link = await server.firstOwner.offer(BASE);
    expect(link).toMatch(/^http:\/\/fleet\.example:8080\/login#owner=[\w-]{43}$/);
    expect(readFileSync(fileOf(), 'utf8')).toBe(`${link}\n`);
    expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
    expect(await needsOwner()).toBe(true);

    const answers = await Promise.all([create(tokenIn(link)), create(tokenIn(link), { userName: 'bob' })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const { token } = answers.find(({ status }) => status === 200)!.body as { token: string };
    const me = (await server.call('GET', '/api/v1/read_me', { token })).body;
    expect(me).toMatchObject({ role: 'owner', account: { operator: true }, preferences: { setupDone: [] } });
    expect(await needsOwner()).toBe(false);
    expect(existsSync(fileOf())).toBe(false);
    expect(await create(tokenIn(link))).toMatchObject({ status: 400, body: { code: 'owner-link-over' } });
    expect(await server.firstOwner.offer(BASE)).toBeNull();
  });

  it('keeps the link when the password is refused, and refuses every other link', async () => {
    server = await startHttpServer();
    const first = tokenIn(await server.firstOwner.offer(BASE));
    const token = tokenIn(await server.firstOwner.offer(BASE));
    for (const wrong of [first, 'a'.repeat(43)]) {
      expect(await create(wrong)).toMatchObject({ status: 400, body: { code: 'owner-link-over' } });
    }
    expect(await create(token, { userName: 'ann.marlow', password: 'ann.marlow is my name' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'password', code: 'name-in-password' }] },
    });
    expect(await needsOwner()).toBe(true);
    expect((await create(token)).status).toBe(200);
  });

  it('is created with the link of any server that runs, and with that of none that does not', async () => {
    server = await startHttpServer();
    const [running, gone] = [await offeredElsewhere(true), await offeredElsewhere(false)];
    const own = tokenIn(await server.firstOwner.offer(BASE));
    expect(await create(gone)).toMatchObject({ status: 400, body: { code: 'owner-link-over' } });
    expect((await create(running)).status).toBe(200);
    expect(await create(own, { userName: 'bob' })).toMatchObject({ status: 400, body: { code: 'owner-link-over' } });
    expect(await server.context.db.system.selectFrom('first_owner_link').selectAll().execute()).toEqual([]);
  });

  it('can’t be created when there is none to create: without an offer, and after `npm run owner`', async () => {
    server = await startHttpServer();
    expect(await needsOwner()).toBe(false);
    expect((await create('a'.repeat(43))).status).toBe(400);
    const token = tokenIn(await server.firstOwner.offer(BASE));
    await createOwner(server.context.db, 'carl', PASSWORD);
    expect(await needsOwner()).toBe(false);
    expect(await create(token)).toMatchObject({ status: 400, body: { code: 'owner-link-over' } });
    expect(existsSync(fileOf())).toBe(false);
  });

  it('limits tries by address', async () => {
    server = await startHttpServer();
    await server.firstOwner.offer(BASE);
    const statuses = [];
    for (let n = 0; n < 21; n++) statuses.push((await create('b'.repeat(43))).status);
    expect(statuses.at(-1)).toBe(429);
  });
});
