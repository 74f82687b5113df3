import { type DeviceMessage, deviceMessageSchema, deviceTopic } from '@milepost/contract';
import type { MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../testing/app.ts';
import { type SignedIn, signedIn } from '../../testing/http-server.ts';
import { addVehicle, metric, type TestVehicle } from '../../testing/ingest.ts';
import { granted as isGranted, MqttClients, positionReport } from '../../testing/mqtt.ts';

/** [R6.02] [R6.03] Live messages follow what a user may see, even on open subscriptions. */

let test: TestApp;
let owner: SignedIn;
let driver: SignedIn;
let driverId: string;
let own: TestVehicle;
let other: TestVehicle;
let clients: MqttClients;

beforeAll(async () => {
  test = await startApp();
  clients = new MqttClients(test);
});
afterAll(() => test.close());
afterEach(async () => {
  clients.endAll();
  await listeners(0);
});
beforeEach(async () => {
  owner = await signedIn(test);
  driver = await signedIn(test, { accountId: owner.accountId, role: 'driver' });
  own = await addVehicle(test.context, owner.accountId);
  other = await addVehicle(test.context, owner.accountId);
  const made = await call('POST', '/driver', { name: 'Ann', card: '04A1', userId: driver.userId });
  driverId = (made as { id: string }).id;
});

async function call(method: string, path: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' };
  const response = await fetch(`${test.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  expect(response.ok).toBe(true);
  return response.json();
}

const granted = (client: MqttClient, { imei }: TestVehicle) => isGranted(client, deviceTopic(imei));

function heardBy(client: MqttClient): (string | null)[] {
  const heard: (string | null)[] = [];
  client.on('message', (_, payload) => {
    const message: DeviceMessage = deviceMessageSchema.parse(JSON.parse(payload.toString()));
    if (message.action === 'positionReport') heard.push(message.eventType);
  });
  return heard;
}

/** Waits until this many connections listen to a vehicle. */
const listeners = (count: number) => expect.poll(() => metric(test.context, 'milepost_live_subscribers')).toBe(count);

async function report(from: MqttClient, { imei }: TestVehicle, fields: object): Promise<void> {
  const message = positionReport({ speed: 0, ...fields });
  await from.publishAsync(deviceTopic(imei), JSON.stringify(message), { qos: 1 });
}

it('[N8] live positions leave an entry in the ledger of the driver within five seconds, and none of their own', async () => {
  await call('PATCH', `/driver/${driverId}/vehicle`, { deviceId: String(own.id) });
  expect(await granted(await clients.browser(driver), own)).toBe(true);
  expect(await granted(await clients.browser(owner), own)).toBe(true);
  const { system } = test.context.db;
  const looks = system.selectFrom('look').select(['kind', 'user_id']).where('driver_id', '=', Number(driverId));
  await expect.poll(() => looks.execute()).toEqual([{ kind: 'map', user_id: owner.userId }]);
});

it('refuses a driver every vehicle but theirs', async () => {
  await call('PATCH', `/driver/${driverId}/vehicle`, { deviceId: String(own.id) });
  const client = await clients.browser(driver);
  expect(await granted(client, own)).toBe(true);
  expect(await granted(client, other)).toBe(false);
  expect(await granted(await clients.browser(owner), other)).toBe(true);
});

it('ends an open subscription when the vehicle is another’s, and only that', async () => {
  await call('PATCH', `/driver/${driverId}/vehicle`, { deviceId: String(own.id) });
  const [client, manager, device] = [
    await clients.browser(driver),
    await clients.browser(owner),
    await clients.device(own),
  ];
  const [heard, managerHeard] = [heardBy(client), heardBy(manager)];
  await Promise.all([granted(client, own), granted(manager, own)]);
  await report(device, own, { eventType: 'first' });
  await expect.poll(() => heard).toEqual(['first']);
  await call('PATCH', `/driver/${driverId}/vehicle`, { deviceId: String(other.id) });
  await listeners(1);
  expect(await granted(client, own)).toBe(false);
  await report(device, own, { eventType: 'second' });
  await expect.poll(() => managerHeard).toContain('second');
  expect(heard).toEqual(['first']);
});

it('follows the card: a driver hears the vehicle they got into, and no more the one they left', async () => {
  const [client, manager] = [await clients.browser(driver), await clients.browser(owner)];
  const [inOwn, inOther] = [await clients.device(own), await clients.device(other)];
  const [heard, managerHeard] = [heardBy(client), heardBy(manager)];
  await Promise.all([granted(manager, own), granted(manager, other)]);
  await report(inOwn, own, { rfid: '04A1', eventType: 'in own' });
  await expect.poll(() => granted(client, own)).toBe(true);
  await report(inOwn, own, { rfid: '04A1', eventType: 'drives own' });
  await expect.poll(() => heard).toContain('drives own');
  await report(inOther, other, { rfid: '04A1', eventType: 'in other' });
  await listeners(1);
  await report(inOwn, own, { eventType: 'left alone' });
  await expect.poll(() => managerHeard).toContain('left alone');
  expect(heard).not.toContain('left alone');
  expect(await granted(client, other)).toBe(true);
});

it('ends a limited dispatcher’s subscription when the vehicle leaves the folder', async () => {
  const { id: folder } = (await call('POST', '/folder', { name: 'Mine' })) as { id: string };
  await call('PATCH', `/folder/assign/${folder}`, { devices: [String(own.id)] });
  const dispatcher = await signedIn(test, { accountId: owner.accountId, role: 'dispatcher' });
  await test.context.db.system
    .updateTable('app_user')
    .set({ scope_folders: [Number(folder)], scope_departments: [] })
    .where('id', '=', dispatcher.userId)
    .execute();
  await test.context.feed.settled();
  const [client, manager, device] = [
    await clients.browser(dispatcher),
    await clients.browser(owner),
    await clients.device(own),
  ];
  const [heard, managerHeard] = [heardBy(client), heardBy(manager)];
  expect(await granted(client, own)).toBe(true);
  expect(await granted(client, other)).toBe(false);
  await granted(manager, own);
  await report(device, own, { eventType: 'inside' });
  await expect.poll(() => heard).toEqual(['inside']);
  await call('PATCH', '/folder/assign/none', { devices: [String(own.id)] });
  await listeners(1);
  expect(await granted(client, own)).toBe(false);
  await report(device, own, { eventType: 'outside' });
  await expect.poll(() => managerHeard).toContain('outside');
  expect(heard).toEqual(['inside']);
});
