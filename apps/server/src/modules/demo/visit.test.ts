import { PERMISSIONS_OF_ROLE, ROUTES } from '@milepost/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { prepareDemo } from './demo.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer({ demo: 'public' });
  await prepareDemo('public', server.context, server.sessions);
  // The demo is there before the directory is, outside of tests.
  await server.context.feed.settled();
});
afterAll(() => server.close());

async function enter(view = ''): Promise<string> {
  const { status, body } = await server.call('POST', `/api/v1/demo${view && `?as=${view}`}`);
  expect(status).toBe(201);
  const { token, expiresAt } = body as { token: string; expiresAt: string };
  expect(Math.round((Date.parse(expiresAt) - Date.now()) / 3_600_000)).toBe(2);
  return token;
}

it('[R2.03] lets anyone who comes by look at the demo account, each with a session of their own', async () => {
  const [one, other] = [await enter(), await enter()];
  const me = (await server.call('GET', '/api/v1/read_me', { token: one })).body;
  expect(me).toMatchObject({ displayName: 'Demo visitor', readOnly: true, account: { demo: true } });
  expect((await server.call('POST', '/api/v1/signout', { token: one })).status).toBe(200);
  const { body } = await server.call('GET', '/api/v1/device', { token: other });
  expect(body).toHaveLength(40);
});

it('[R2.03] refuses every call that writes, in a friendly sentence', async () => {
  const token = await enter();
  const writes = Object.entries(ROUTES).filter(
    ([name, { method, access }]) =>
      method !== 'GET' &&
      access !== 'public' &&
      access !== 'signed-in' &&
      // These only read.
      name !== 'findVehiclesInside' &&
      name !== 'listTaskFits' &&
      access !== 'subscriptions.read' &&
      access !== 'rules.read',
  );
  expect(writes.length).toBeGreaterThan(60);
  for (const [name, { method, path, access }] of writes) {
    const { status, body } = await server.call(method, path.replace(/\{\w+\}/g, '1'), { token });
    const isAdmins = (PERMISSIONS_OF_ROLE.admin as readonly string[]).includes(access);
    expect([name, status, body]).toMatchObject([
      name,
      403,
      isAdmins
        ? { code: 'read-only', title: 'This is a read-only demo. Nothing was changed.' }
        : { code: 'not-allowed' },
    ]);
  }
});

it('[R2.03] lets a visitor look as a dispatcher who sees the city’s vehicles and drivers alone', async () => {
  const names = async (token: string, path: string) =>
    ((await server.call('GET', path, { token })).body as { deviceName?: string; name?: string }[]).map(
      ({ deviceName, name }) => deviceName ?? name ?? '',
    );
  const city = await enter('dispatcher');
  expect((await server.call('GET', '/api/v1/read_me', { token: city })).body).toMatchObject({
    readOnly: true,
    role: 'dispatcher',
  });
  const units = await names(city, '/api/v1/device');
  expect(units).toHaveLength(14);
  for (const unit of units) expect(unit).toMatch(/^(33|55)/);
  expect(await names(city, '/api/v1/driver')).toHaveLength(12);
  expect((await server.call('POST', '/api/v1/folder', { token: city, body: { name: 'Mine' } })).status).toBe(403);
  expect((await server.call('PATCH', '/api/v1/update_me', { token: city, body: { displayName: 'Me' } })).status).toBe(
    403,
  );
  expect((await server.call('POST', '/api/v1/demo?as=owner')).status).toBe(400);
});

it('has nobody who signs in, and sends nobody a code, when it is public', async () => {
  const sign = { userName: 'demo', password: 'demo-fleet' };
  expect((await server.call('POST', '/api/v1/signin', { body: sign })).status).toBe(401);
  expect((await server.call('POST', '/api/v1/user-forgot-password', { body: { userName: 'demo' } })).status).toBe(200);
  const { system } = server.context.db;
  expect(await system.selectFrom('password_recovery').select('id').where('user_id', 'is not', null).execute()).toEqual(
    [],
  );
  const visitor = system.updateTable('app_user').where('user_name', '=', 'visitor');
  // As someone at a demo of their own might have left it.
  await visitor.set({ active: false, role: 'viewer', password_hash: 'x' }).execute();
  expect((await server.call('GET', '/api/v1/device', { token: await enter() })).status).toBe(200);
});

it('lets nobody in where there is no demo', async () => {
  const own = await startHttpServer();
  expect((await own.call('POST', '/api/v1/demo')).body).toMatchObject({ status: 404, code: 'no-demo' });
  expect((await own.call('GET', '/api/v1/client_settings')).body).toMatchObject({ demo: false, demoVisit: false });
  await own.close();
});

it('tells the control password in a demo on a loopback address alone, and as long as it is that one', async () => {
  const told = async (at: TestHttpServer, token: string) =>
    (await at.call('GET', '/api/v1/control_pass', { token })).body as { set: boolean; demoPassword: string | null };
  expect(await told(server, await enter())).not.toHaveProperty('demoPassword');

  const own = await startHttpServer({ demo: 'on' });
  await prepareDemo('on', own.context, own.sessions);
  await own.context.feed.settled();
  const signIn = { userName: 'demo', password: 'demo-fleet' };
  const { token } = (await own.call('POST', '/api/v1/signin', { body: signIn })).body as { token: string };
  const { demoPassword } = await told(own, token);
  expect(demoPassword).toBe('demo-control');
  const [vehicle] = (await own.call('GET', '/api/v1/device', { token })).body as { id: string }[];
  const offer = await own.call('GET', `/api/v1/command/offer?deviceId=${vehicle!.id}`, { token });
  expect(offer.body).toMatchObject({ controlPasswordSet: true, demoPassword: 'demo-control' });

  const body = { password: 'demo-fleet', controlPassword: 'something else' };
  expect((await own.call('PATCH', '/api/v1/control_pass', { token, body })).status).toBe(200);
  expect(await told(own, token)).toMatchObject({ set: true, demoPassword: null });
  await own.close();
});

// Last: the address has looked in often enough afterwards.
it('does not let a loop fill the table of sessions', async () => {
  const answers = [];
  for (let i = 0; i < 40; i++) answers.push((await server.call('POST', '/api/v1/demo')).status);
  expect(answers.at(-1)).toBe(429);
});
