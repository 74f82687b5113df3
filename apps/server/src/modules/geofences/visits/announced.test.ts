import type { GeofenceAlert, RegisteredVehicles } from '@milepost/contract';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { call } from '../../../../testing/http-server.ts';
import { testImei } from '../../../../testing/imei.ts';
import { limit } from '../../../../testing/organisation.ts';
import { type Person, type PersonOptions, person } from '../../../../testing/people.ts';
import { joined } from '../../../../testing/sockets.ts';

let test: TestApp;
const sockets: Socket[] = [];
beforeAll(async () => {
  test = await startApp();
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await test.close();
});

const TIMEOUT_MS = 20_000;
const MINUTE = 60_000;
const LAT = 41.9;
const LON = -87.68;

const someone = (options: PersonOptions = {}): Promise<Person> =>
  person({ ...test, call: (method, path, more) => call(test.url, method, path, more) }, options);

/** Drives east at 20 m/s through meters from the geofence's middle, with a fix every 5 seconds. */
async function drive(imei: string, startMs: number, from: number, to: number): Promise<void> {
  for (let i = 0; from + i * 100 <= to; i++) {
    const query = new URLSearchParams({
      id: imei,
      timestamp: String(Math.floor(startMs / 1000) + i * 5),
      lat: String(LAT),
      lon: String(LON + (from + i * 100) / 82_850),
      speed: String(20 / 0.514_444),
    });
    const answer = await fetch(`http://127.0.0.1:${test.port('osmand')}/?${query}`);
    expect(answer.status).toBe(200);
  }
}

async function register(who: Person, imei: string, more: { since?: string; fences?: string[] } = {}) {
  const socket = await joined(test.url, '/geofence', who.token);
  sockets.push(socket);
  const told: GeofenceAlert[] = [];
  socket.on('geofence_alert', (alert: GeofenceAlert) => told.push(alert));
  const { since, fences } = more;
  const vehicles = [{ imei, ...(fences && { fences }) }];
  const answer: RegisteredVehicles = await socket.emitWithAck('register_vehicles', { vehicles, since });
  expect(answer).toMatchObject({ registered: 1 });
  return told;
}

/** Until the server follows the vehicle. */
const followed = (who: Person, visits: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const [from, to] = [Date.now() - 120 * MINUTE, Date.now() + MINUTE].map(ms => new Date(ms).toISOString());
      const answer = await who.call('GET', `visit?${new URLSearchParams({ from: from ?? '', to: to ?? '' })}`);
      expect(answer.body).toMatchObject({ counting: 0, visits: { length: visits } });
    },
    { timeout: TIMEOUT_MS },
  );

it('[R7.37] a crossing is announced once to those who registered the vehicle, and again to who was away', async () => {
  const owner = await someone();
  const viewer = await someone({ accountId: owner.accountId, role: 'viewer' });
  const imei = testImei(7_654_321);
  const { id: deviceId } = (await owner.call('POST', 'device', { imei, deviceName: 'Truck 12' })).body as {
    id: string;
  };
  const shape = { kind: 'circle', center: [LON, LAT], radiusM: 200 };
  const { id: fenceId } = (await owner.call('POST', 'geofence', { name: 'Dock', shape })).body as { id: string };
  await test.context.feed.settled();
  const now = Date.now();

  const told = await register(owner, imei);
  const elsewhere = await register(owner, imei, { fences: ['999'] });
  await drive(imei, now - 20 * MINUTE, -3000, -2900);
  await followed(owner, 0);
  await drive(imei, now - 8 * MINUTE, -1000, 0);
  await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: TIMEOUT_MS });
  expect(told[0]).toMatchObject({
    type: 'enter',
    state: 'opened',
    severity: 'info',
    fence: { id: fenceId, name: 'Dock', kind: 'circle' },
    vehicle: { deviceId, imei, deviceName: 'Truck 12' },
    late: false,
    message: 'Truck 12 entered Dock',
  });
  await drive(imei, now - 6 * MINUTE, 100, 1000);
  await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: TIMEOUT_MS });
  expect(told[1]).toMatchObject({ type: 'exit', state: 'closed', message: 'Truck 12 left Dock' });
  const dwellMs = Date.parse(told[1]?.at ?? '') - Date.parse(told[0]?.at ?? '');
  expect(told[1]?.dwellSeconds).toBe(Math.round(dwellMs / 1000));
  expect(elsewhere).toEqual([]);

  // Who was away hears what came after the last that they heard; others nothing old.
  const again = await register(viewer, imei, { since: told[0]?.id ?? '' });
  await vi.waitFor(() => expect(again.map(({ id }) => id)).toEqual([told[1]?.id]));
  expect(await register(viewer, imei)).toEqual([]);

  // Of a time when the vehicle was not theirs, they hear nothing.
  const { id: folder } = (await owner.call('POST', 'folder', { name: 'South' })).body as { id: string };
  await limit(test.context, viewer, { folders: [folder] });
  const socket = await joined(test.url, '/geofence', viewer.token);
  sockets.push(socket);
  const answer = await socket.emitWithAck('register_vehicles', { vehicles: [{ imei }], since: told[0]?.id });
  expect(answer).toEqual({ registered: 0, ignored: [imei] });
});

it('[R7.38] a deleted geofence or vehicle is told to who watches it, and to who was away', async () => {
  const owner = await someone();
  const viewer = await someone({ accountId: owner.accountId, role: 'viewer' });
  const other = await someone();
  const imeis = [testImei(7_654_331), testImei(7_654_332)] as const;
  for (const imei of imeis) await owner.call('POST', 'device', { imei, deviceName: imei.slice(-4) });
  const shape = { kind: 'circle', center: [LON, LAT], radiusM: 200 };
  const [dock, gate] = await Promise.all(
    ['Dock', 'Gate'].map(
      async name => ((await owner.call('POST', 'geofence', { name, shape })).body as { id: string }).id,
    ),
  );
  const foreign = testImei(7_654_333);
  await other.call('POST', 'device', { imei: foreign, deviceName: 'Theirs' });
  await test.context.feed.settled();
  const told = await register(viewer, imeis[0]);
  const atGate = await register(viewer, imeis[0], { fences: [gate ?? ''] });
  const elsewhere = await register(other, foreign);

  await owner.call('DELETE', `geofence/${dock}`);
  await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: TIMEOUT_MS });
  expect(told[0]).toMatchObject({ type: 'deleted', fence: { id: dock, name: 'Dock' }, vehicle: null, state: 'closed' });
  const { id: vehicleId } = ((await owner.call('GET', 'device')).body as { id: string; imei: string }[]).find(
    ({ imei }) => imei === imeis[0],
  ) as { id: string };
  await owner.call('DELETE', `device/${vehicleId}`);
  await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: TIMEOUT_MS });
  expect(told[1]).toMatchObject({ type: 'deleted', fence: null, vehicle: { imei: imeis[0] } });
  await vi.waitFor(() => expect(atGate.map(({ id }) => id)).toEqual([told[1]?.id]), { timeout: TIMEOUT_MS });

  // After a deletion, `since` still says a time: what came after it is repeated.
  await owner.call('DELETE', `geofence/${gate}`);
  const away = await register(viewer, imeis[1], { since: told[1]?.id ?? '' });
  // What happens as one registers may be both repeated and news, in either order: it has the same ID.
  const names = () => [...new Map(away.map(({ fence, id }) => [id, fence?.name])).values()];
  await vi.waitFor(() => expect(names().toSorted()).toEqual(['Dock', 'Gate']), { timeout: TIMEOUT_MS });
  expect(elsewhere).toEqual([]);
});

it('[R7.37] says who drove and where; a restricted geofence alerts once, until the vehicle leaves', async () => {
  const owner = await someone();
  const imei = testImei(7_654_341);
  const driver = (await owner.call('POST', 'driver', { name: 'Ann Lee' })).body as { id: string };
  await owner.call('POST', 'device', { imei, deviceName: 'Truck 14', usualDriverId: driver.id });
  const shape = { kind: 'circle', center: [LON, LAT], radiusM: 200 };
  const { id: yard } = (await owner.call('POST', 'geofence', { name: 'Old yard', shape, isRestricted: true })).body as {
    id: string;
  };
  await test.context.feed.settled();
  const told = await register(owner, imei);
  const alerts = async () =>
    ((await owner.call('GET', 'alert')).body as { alerts: { kind: string }[] }).alerts.filter(
      ({ kind }) => kind === 'restricted',
    );
  const now = Date.now();
  await drive(imei, now - 60 * MINUTE, -3000, -2900);
  await followed(owner, 0);
  await drive(imei, now - 8 * MINUTE, -1000, 0);
  await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: TIMEOUT_MS });
  expect(told[0]).toMatchObject({ driver: { id: driver.id, name: 'Ann Lee' }, severity: 'warning' });
  expect(told[0]?.position?.address).toMatch(/Chicago/);
  expect(await alerts()).toMatchObject([
    { severity: 'warning', geofence: 'Old yard', driver: { name: 'Ann Lee' }, closedAt: null, acknowledgedAt: null },
  ]);
  await drive(imei, now - 6 * MINUTE, 100, 1000);
  await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: TIMEOUT_MS });
  expect(await alerts()).toMatchObject([{ closedAt: told[1]?.at }]);

  // Late reports of an earlier time correct the visits, and alert nobody.
  await drive(imei, now - 40 * MINUTE, -1000, 1000);
  await followed(owner, 2);
  expect(await alerts()).toHaveLength(1);

  // Back on the other side a minute later, it came through in between. Who is inside when a geofence stops being
  // restricted may be there.
  await drive(imei, now - 3 * MINUTE, -1000, 0);
  await vi.waitFor(async () => expect(await alerts()).toHaveLength(3), { timeout: TIMEOUT_MS });
  expect(await alerts()).toMatchObject([
    { closedAt: null },
    { closedAt: expect.any(String) },
    { closedAt: told[1]?.at },
  ]);
  await owner.call('PATCH', `geofence/${yard}`, { isRestricted: false });
  expect(await alerts()).toMatchObject([{ closedAt: expect.any(String) }, {}, { closedAt: told[1]?.at }]);
});

it('[R7.37] what came long after it happened is in the history, and announced to nobody', async () => {
  const owner = await someone();
  const imei = testImei(7_654_322);
  await owner.call('POST', 'device', { imei, deviceName: 'Truck 13' });
  const shape = { kind: 'circle', center: [LON, LAT], radiusM: 200 };
  await owner.call('POST', 'geofence', { name: 'Dock', shape });
  await test.context.feed.settled();
  const told = await register(owner, imei);
  const now = Date.now();
  await drive(imei, now - 90 * MINUTE, -3000, -2900);
  await followed(owner, 0);
  await drive(imei, now - 60 * MINUTE, -1000, 1000);
  await followed(owner, 1);
  await drive(imei, now - 5 * MINUTE, -1000, 0);
  await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: TIMEOUT_MS });
  expect(told[0]?.type).toBe('enter');
  await followed(owner, 2);
});
