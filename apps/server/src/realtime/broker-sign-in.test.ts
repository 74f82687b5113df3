import { randomBytes } from 'node:crypto';
import { connect as connectTcp } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { deviceTopic, userTopic } from '@milepost/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '../../testing/app.ts';
import { type SignedIn, signedIn } from '../../testing/http-server.ts';
import { testImei } from '../../testing/imei.ts';
import { addVehicle, type TestVehicle } from '../../testing/ingest.ts';
import { asBrowser, asDevice, type Credentials, MqttClients, outcome } from '../../testing/mqtt.ts';

let test: TestApp;
let clients: MqttClients;
let person: SignedIn;
let stranger: SignedIn;
let vehicle: TestVehicle;
let foreign: TestVehicle;
beforeAll(async () => {
  test = await startApp();
  clients = new MqttClients(test);
  [person, stranger] = await Promise.all([signedIn(test), signedIn(test)]);
  vehicle = await addVehicle(test.context, person.accountId);
  foreign = await addVehicle(test.context, stranger.accountId);
  await sleep(50);
});
afterAll(() => test.close());
afterEach(() => clients.endAll());

const UNKNOWN_IMEI = testImei(987_654_321);

describe('sign-in', () => {
  it('[R6.02] lets a browser in with its session’s credential, several tabs at once', async () => {
    const tabs = await Promise.all([clients.browser(person, '.a'), clients.browser(person, '.b')]);
    await sleep(100);
    expect(tabs.map(tab => tab.connected)).toEqual([true, true]);
  });

  it('lets a tracker in with its device key', async () => {
    expect((await clients.device(vehicle)).connected).toBe(true);
  });

  it.each<[string, () => Credentials]>([
    ['nobody', () => ({})],
    ['a tracker with a wrong key', () => ({ ...asDevice(vehicle), password: 'wrong' })],
    ['a tracker without a key', () => ({ clientId: vehicle.imei, username: vehicle.imei })],
    ['a tracker with the key of another', () => ({ ...asDevice(foreign), clientId: vehicle.imei })],
    ['a tracker that no vehicle has', () => ({ clientId: UNKNOWN_IMEI, username: UNKNOWN_IMEI, password: 'x' })],
    ['a browser with its token instead of the credential', () => ({ ...asBrowser(person), password: person.token })],
    ['a browser with the name of another user', () => ({ ...asBrowser(person), username: stranger.userName })],
    ['a browser with the id of another user', () => ({ ...asBrowser(person), clientId: `${stranger.userId}.1` })],
    ['a browser with another client id', () => ({ ...asBrowser(person), clientId: 'anything' })],
  ])('[R6.02] refuses %s', async (_, credentials) => {
    expect(await outcome(clients.connect(credentials()))).toMatch(/Bad username or password/);
  });

  it('lists a tracker that no vehicle has', async () => {
    await vi.waitFor(
      async () => {
        const listed = test.context.db.system.selectFrom('unknown_tracker').select(['imei', 'protocol']).execute();
        expect(await listed).toEqual([{ imei: UNKNOWN_IMEI, protocol: 'mqtt' }]);
      },
      { timeout: 35_000 },
    );
  });

  it('refuses a page of another site', async () => {
    const url = clients.socketUrl;
    const wsOptions = { headers: { origin: 'https://elsewhere.example' } };
    expect(await outcome(clients.connect({ ...asBrowser(person), url, wsOptions }))).not.toBeNull();
    expect(
      await outcome(clients.connect({ ...asBrowser(person), url, wsOptions: { headers: { origin: test.url } } })),
    ).toBeNull();
  });

  it('refuses wills on topics of others, and retained ones', async () => {
    const will = (topic: string, retain = false) => ({ topic, payload: Buffer.from('x'), qos: 0 as const, retain });
    expect(
      await outcome(clients.connect({ ...asBrowser(person), will: will(deviceTopic(vehicle.imei)) })),
    ).not.toBeNull();
    expect(
      await outcome(clients.connect({ ...asDevice(vehicle), will: will(userTopic(vehicle.imei)) })),
    ).not.toBeNull();
    expect(
      await outcome(clients.connect({ ...asDevice(vehicle), will: will(deviceTopic(vehicle.imei), true) })),
    ).not.toBeNull();
  });
});

it('is not hurt by bytes that are no MQTT', async () => {
  const sockets = Array.from({ length: 50 }, () => connectTcp(test.port('mqtt'), '127.0.0.1'));
  for (const socket of sockets) {
    socket.on('error', () => {});
    socket.write(randomBytes(2000));
  }
  await vi.waitFor(() => expect(sockets.every(socket => socket.destroyed)).toBe(true), { timeout: 35_000 });
  expect((await clients.device(vehicle)).connected).toBe(true);
}, 20_000);
