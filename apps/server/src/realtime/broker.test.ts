import { randomBytes } from 'node:crypto';
import { connect as connectTcp } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DeviceMessage, deviceMessageSchema, deviceTopic, userTopic } from '@milepost/contract';
import { sql } from 'kysely';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { messagingCredential } from '../modules/accounts/sessions.ts';
import { hashDeviceKey } from '../modules/vehicles/device-key.ts';
import { startApp, type TestApp } from '../testing/app.ts';
import { type SignedIn, signedIn } from '../testing/http-server.ts';
import { testImei } from '../testing/imei.ts';
import { addVehicle, DEVICE_KEY, metric, type TestVehicle } from '../testing/ingest.ts';
import { MQTT_LIMITS } from './connect-rules.ts';

let test: TestApp;
let person: SignedIn;
let stranger: SignedIn;
let vehicle: TestVehicle;
let foreign: TestVehicle;
beforeAll(async () => {
  test = await startApp();
  [person, stranger] = await Promise.all([signedIn(test), signedIn(test)]);
  vehicle = await addVehicle(test.context, person.accountId);
  foreign = await addVehicle(test.context, stranger.accountId);
  await sleep(50);
});
afterAll(() => test.close());

const open: MqttClient[] = [];
afterEach(() => {
  for (const client of open.splice(0)) client.end(true);
});

type Credentials = Pick<IClientOptions, 'clientId' | 'username' | 'password'>;

function connect(options: IClientOptions & { readonly url?: string }): MqttClient {
  const { url = `mqtt://127.0.0.1:${test.port('mqtt')}`, ...rest } = options;
  const client = mqtt.connect(url, { reconnectPeriod: 0, connectTimeout: 3000, ...rest });
  client.on('error', () => {});
  open.push(client);
  return client;
}
/** Resolves to null once connected, or to what stood in the way. */
const outcome = (client: MqttClient) =>
  new Promise<string | null>(resolve => {
    client.once('connect', () => resolve(null));
    client.once('error', error => resolve(error.message));
    client.once('close', () => resolve('closed'));
  });
const closed = (client: MqttClient) => new Promise<void>(resolve => client.once('close', () => resolve()));

const asDevice = ({ imei }: TestVehicle): Credentials => ({ clientId: imei, username: imei, password: DEVICE_KEY });
const asBrowser = ({ userId, userName, token }: SignedIn, tab = '.1'): Credentials => ({
  clientId: userId + tab,
  username: userName,
  password: messagingCredential(token),
});
const connected = async (options: IClientOptions & { readonly url?: string }) => {
  const client = connect(options);
  expect(await outcome(client)).toBeNull();
  return client;
};
const browser = (who: SignedIn, tab?: string) =>
  connected({ ...asBrowser(who, tab), url: `${test.url.replace('http', 'ws')}/mqtt` });
const device = (of: TestVehicle) => connected(asDevice(of));

/** True when the broker granted it. */
const granted = (client: MqttClient, topic: string) =>
  client.subscribeAsync(topic, { qos: 1 }).then(
    grants => grants.every(({ qos }) => qos !== 128),
    () => false,
  );

let second = 0;
const report = (fields: object = {}) => {
  const time = new Date(Date.now() - 600_000 + ++second * 1000).toISOString();
  const now = { reportDate: time.slice(0, 10), reportTime: time.slice(11, 19) };
  return { action: 'positionReport', lat: 41.9, lon: -87.68, speed: 36, ignitionStatus: 1, ...now, ...fields };
};
const rowsOf = ({ id }: TestVehicle) =>
  test.context.db.system.selectFrom('position').selectAll().where('vehicle_id', '=', id).orderBy('fix_at').execute();
const messagesTo = (client: MqttClient): (DeviceMessage & { topic: string })[] => {
  const messages: (DeviceMessage & { topic: string })[] = [];
  client.on('message', (topic, payload) => {
    messages.push({ ...deviceMessageSchema.parse(JSON.parse(payload.toString())), topic });
  });
  return messages;
};

const UNKNOWN_IMEI = testImei(987_654_321);

describe('sign-in', () => {
  it('[R6.02] lets a browser in with its session’s credential, several tabs at once', async () => {
    const tabs = await Promise.all([browser(person, '.a'), browser(person, '.b')]);
    await sleep(100);
    expect(tabs.map(tab => tab.connected)).toEqual([true, true]);
  });

  it('lets a tracker in with its device key', async () => {
    expect((await device(vehicle)).connected).toBe(true);
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
    expect(await outcome(connect(credentials()))).toMatch(/Bad username or password/);
  });

  it('lists a tracker that no vehicle has', async () => {
    await vi.waitFor(
      async () => {
        const listed = test.context.db.system.selectFrom('unknown_tracker').select(['imei', 'protocol']).execute();
        expect(await listed).toEqual([{ imei: UNKNOWN_IMEI, protocol: 'mqtt' }]);
      },
      { timeout: 8000 },
    );
  });

  it('refuses a page of another site', async () => {
    const url = `${test.url.replace('http', 'ws')}/mqtt`;
    const wsOptions = { headers: { origin: 'https://elsewhere.example' } };
    expect(await outcome(connect({ ...asBrowser(person), url, wsOptions }))).not.toBeNull();
    expect(
      await outcome(connect({ ...asBrowser(person), url, wsOptions: { headers: { origin: test.url } } })),
    ).toBeNull();
  });

  it('refuses wills on topics of others, and retained ones', async () => {
    const will = (topic: string, retain = false) => ({ topic, payload: Buffer.from('x'), qos: 0 as const, retain });
    expect(await outcome(connect({ ...asBrowser(person), will: will(deviceTopic(vehicle.imei)) }))).not.toBeNull();
    expect(await outcome(connect({ ...asDevice(vehicle), will: will(userTopic(vehicle.imei)) }))).not.toBeNull();
    expect(
      await outcome(connect({ ...asDevice(vehicle), will: will(deviceTopic(vehicle.imei), true) })),
    ).not.toBeNull();
  });
});

describe('reports of trackers', () => {
  it('[I1] are acknowledged once they are in the database, in SI', async () => {
    const own = await addVehicle(test.context);
    await sleep(50);
    const tracker = await device(own);
    await tracker.publishAsync(deviceTopic(own.imei), JSON.stringify(report({ eventType: 'sos', mileage: 12.5 })), {
      qos: 1,
    });
    expect(await rowsOf(own)).toMatchObject([
      { protocol: 'mqtt', lat: 41.9, speed: 10, ignition: true, event: 'sos', odometer: 12_500, valid: true },
    ]);
  });

  it('[R3.03] [R7.33] reach the subscribers as position reports of the contract, and never as they were sent', async () => {
    const own = await addVehicle(test.context, person.accountId);
    await sleep(50);
    const [tracker, watcher] = await Promise.all([device(own), browser(person)]);
    const messages = messagesTo(watcher);
    expect(await granted(watcher, deviceTopic(own.imei))).toBe(true);
    const sent = report({ secret: 'not for others' });
    await tracker.publishAsync(deviceTopic(own.imei), JSON.stringify(sent), { qos: 1 });
    await vi.waitFor(() => expect(messages).toHaveLength(2));
    const [live, state] = messages;
    expect(live).toEqual({
      topic: deviceTopic(own.imei),
      action: 'positionReport',
      address: expect.toSatisfy(value => value === null || typeof value === 'string'),
      deviceId: String(own.id),
      deviceName: `Unit ${own.imei}`,
      imei: own.imei,
      eventType: null,
      fuelGage: null,
      gpsStatus: 'A',
      gsmStatus: null,
      ignitionStatus: 1,
      lat: 41.9,
      lon: -87.68,
      mileage: null,
      reportDate: sent.reportDate,
      reportTime: sent.reportTime,
      rfid: null,
      speed: 36,
      temp: null,
      course: null,
      altitude: null,
      hdop: null,
      satellites: null,
      receivedAt: expect.any(String),
      late: false,
      driver: null,
    });
    expect(state).toMatchObject({ action: 'vehicleState', imei: own.imei, live: { gpsValid: true, lat: 41.9 } });
  });

  it('[I6] [I9] that come late are stored and not told as news', async () => {
    const own = await addVehicle(test.context, person.accountId);
    await sleep(50);
    const [tracker, watcher] = await Promise.all([device(own), browser(person)]);
    const messages = messagesTo(watcher);
    await granted(watcher, deviceTopic(own.imei));
    const [older, newer] = [report(), report()];
    await tracker.publishAsync(deviceTopic(own.imei), JSON.stringify(newer), { qos: 1 });
    await tracker.publishAsync(deviceTopic(own.imei), JSON.stringify(older), { qos: 1 });
    await sleep(100);
    expect((await rowsOf(own)).map(row => row.late)).toEqual([true, false]);
    expect(messages.filter(({ action }) => action === 'positionReport')).toHaveLength(1);
  });

  it('are refused, and the connection with them, when they can’t be read', async () => {
    const own = await addVehicle(test.context);
    await sleep(50);
    for (const payload of ['no JSON', JSON.stringify({ action: 'positionReport', lat: 1 }), '{"action":"format"}']) {
      const tracker = await device(own);
      const ended = closed(tracker);
      tracker.publish(deviceTopic(own.imei), payload, { qos: 1 });
      await ended;
    }
    expect(await rowsOf(own)).toEqual([]);
  });

  it('[I1] wait for the database, and are acknowledged in their order when it is back', async () => {
    const own = await addVehicle(test.context);
    await sleep(50);
    const tracker = await device(own);
    await sql`alter table position rename to position_away`.execute(test.context.db.system);
    const acknowledged: number[] = [];
    const publishes = Array.from({ length: 20 }, (_, n) =>
      tracker
        .publishAsync(deviceTopic(own.imei), JSON.stringify(report()), { qos: 1 })
        .then(() => acknowledged.push(n)),
    );
    await sleep(400);
    expect(acknowledged).toEqual([]);
    expect((await test.context.health.report()).checks.ingest).toMatch(/does not take positions/);
    await sql`alter table position_away rename to position`.execute(test.context.db.system);
    await Promise.all(publishes);
    expect(acknowledged).toEqual(publishes.map((_, n) => n));
    expect(await rowsOf(own)).toHaveLength(20);
    expect((await test.context.health.report()).checks.ingest).toBe('ok');
  });
});

describe('[R6.04] what is not allowed', () => {
  it('is not granted: topics of other accounts, wildcards, $SYS, shared subscriptions', async () => {
    const watcher = await browser(person);
    const topics = [
      deviceTopic(foreign.imei),
      userTopic(vehicle.imei),
      'device/+',
      'device/#',
      '#',
      '+/+',
      '$SYS/#',
      `$share/x/${deviceTopic(vehicle.imei)}`,
    ];
    for (const topic of topics) expect([topic, await granted(watcher, topic)]).toEqual([topic, false]);
    expect(await granted(watcher, deviceTopic(vehicle.imei))).toBe(true);
    expect(watcher.connected).toBe(true);
  });

  it('[I2] brings nobody a report of another account', async () => {
    const watcher = await browser(stranger);
    const messages = messagesTo(watcher);
    await granted(watcher, deviceTopic(vehicle.imei));
    await granted(watcher, deviceTopic(foreign.imei));
    const trackers = await Promise.all([device(vehicle), device(foreign)]);
    await trackers[0].publishAsync(deviceTopic(vehicle.imei), JSON.stringify(report()), { qos: 1 });
    await trackers[1].publishAsync(deviceTopic(foreign.imei), JSON.stringify(report()), { qos: 1 });
    await vi.waitFor(() => expect(messages).not.toEqual([]));
    await sleep(50);
    expect(new Set(messages.map(message => message.topic))).toEqual(new Set([deviceTopic(foreign.imei)]));
  });

  it.each<[string, 'browser' | 'device', () => { topic: string; retain?: boolean; payload?: string }]>([
    ['a browser’s report', 'browser', () => ({ topic: deviceTopic(vehicle.imei) })],
    ['a browser’s command to nobody’s vehicle', 'browser', () => ({ topic: userTopic(foreign.imei) })],
    ['a browser’s command that is none', 'browser', () => ({ topic: userTopic(vehicle.imei), payload: 'format' })],
    ['a tracker’s report for another', 'device', () => ({ topic: deviceTopic(foreign.imei) })],
    ['a tracker’s command', 'device', () => ({ topic: userTopic(vehicle.imei) })],
    ['a retained report', 'device', () => ({ topic: deviceTopic(vehicle.imei), retain: true })],
    ['a publish to $SYS', 'device', () => ({ topic: '$SYS/x' })],
    ['a publish to the internal topic', 'device', () => ({ topic: 'taken' })],
  ])('ends the connection: %s', async (_, kind, publish) => {
    const { topic, retain = false, payload = JSON.stringify(report()) } = publish();
    const before = (await rowsOf(foreign)).length + (await rowsOf(vehicle)).length;
    const client = kind === 'browser' ? await browser(person) : await device(vehicle);
    const ended = closed(client);
    client.publish(topic, payload, { qos: 0, retain });
    await ended;
    expect((await rowsOf(foreign)).length + (await rowsOf(vehicle)).length).toBe(before);
  });

  it('ends the connection at a packet that is too long', async () => {
    const client = await device(vehicle);
    const ended = closed(client);
    client.publish(deviceTopic(vehicle.imei), 'x'.repeat(MQTT_LIMITS.packetBytes + 1), { qos: 0 });
    await ended;
  });
});

describe('what ends', () => {
  it('[R4.10] closes every connection of a session that signs out, and no other', async () => {
    const leaving = await signedIn(test, { accountId: person.accountId });
    const [first, second, other] = await Promise.all([browser(leaving, '.a'), browser(leaving, '.b'), browser(person)]);
    const ends = Promise.all([closed(first), closed(second)]);
    await test.sessions.end([leaving.sessionId]);
    await ends;
    expect(await outcome(connect({ ...asBrowser(leaving) }))).not.toBeNull();
    expect(other.connected).toBe(true);
  });

  it('closes a tracker’s connection when its key is renewed, and not when the vehicle is renamed', async () => {
    const own = await addVehicle(test.context);
    await sleep(50);
    const tracker = await device(own);
    const changed = { vehicleId: own.id, accountId: own.accountId, imei: own.imei };
    const update = (change: object) =>
      test.context.db.system.updateTable('vehicle').set(change).where('id', '=', own.id).execute();
    await update({ name: 'Renamed' });
    test.context.signals.emit('vehicle-changed', changed);
    await sleep(100);
    expect(tracker.connected).toBe(true);
    const ended = closed(tracker);
    await update({ device_key_hash: hashDeviceKey(randomBytes(8).toString('hex')) });
    test.context.signals.emit('vehicle-changed', changed);
    await ended;
  });

  it('[I2] takes a vehicle that moves to another account away from those who watched it', async () => {
    const moving = await addVehicle(test.context, person.accountId);
    await sleep(50);
    const watcher = await browser(person);
    const messages = messagesTo(watcher);
    expect(await granted(watcher, deviceTopic(moving.imei))).toBe(true);
    const { db, signals } = test.context;
    await db.system.deleteFrom('vehicle').where('id', '=', moving.id).execute();
    signals.emit('vehicle-changed', { vehicleId: moving.id, ...moving });
    const { id } = await db.system
      .insertInto('vehicle')
      .values({
        account_id: stranger.accountId,
        imei: moving.imei,
        name: 'Sold',
        device_key_hash: hashDeviceKey(DEVICE_KEY),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    signals.emit('vehicle-changed', { vehicleId: id, accountId: stranger.accountId, imei: moving.imei });
    await sleep(100);
    const tracker = await device(moving);
    await tracker.publishAsync(deviceTopic(moving.imei), JSON.stringify(report()), { qos: 1 });
    await sleep(100);
    expect(messages).toEqual([]);
  });

  it('forgets who has gone', async () => {
    const watcher = await browser(person);
    await granted(watcher, deviceTopic(vehicle.imei));
    await vi.waitFor(async () => expect(await metric(test.context, 'milepost_live_subscribers')).toBe(1));
    watcher.end(true);
    await vi.waitFor(async () => {
      expect(await metric(test.context, 'milepost_live_subscribers')).toBe(0);
      expect(await metric(test.context, 'milepost_mqtt_connections')).toBe(0);
    });
  });
});

it('is not hurt by bytes that are no MQTT', async () => {
  const sockets = Array.from({ length: 50 }, () => connectTcp(test.port('mqtt'), '127.0.0.1'));
  for (const socket of sockets) {
    socket.on('error', () => {});
    socket.write(randomBytes(2000));
  }
  await vi.waitFor(() => expect(sockets.every(socket => socket.destroyed)).toBe(true), { timeout: 12_000 });
  expect((await device(vehicle)).connected).toBe(true);
}, 20_000);
