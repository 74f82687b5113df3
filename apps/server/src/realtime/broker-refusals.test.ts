import { setTimeout as sleep } from 'node:timers/promises';
import { deviceTopic, userTopic } from '@milepost/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../testing/app.ts';
import { type SignedIn, signedIn } from '../../testing/http-server.ts';
import { addVehicle, type TestVehicle } from '../../testing/ingest.ts';
import { closed, granted, MqttClients, messagesTo, positionReport } from '../../testing/mqtt.ts';
import { MQTT_LIMITS } from './connect-rules.ts';

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

const rowsOf = ({ id }: TestVehicle) =>
  test.context.db.system.selectFrom('position').selectAll().where('vehicle_id', '=', id).orderBy('fix_at').execute();

describe('[R6.04] what is not allowed', () => {
  it('is not granted: topics of other accounts, wildcards, $SYS, shared subscriptions', async () => {
    const watcher = await clients.browser(person);
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
    const watcher = await clients.browser(stranger);
    const messages = messagesTo(watcher);
    await granted(watcher, deviceTopic(vehicle.imei));
    await granted(watcher, deviceTopic(foreign.imei));
    const trackers = await Promise.all([clients.device(vehicle), clients.device(foreign)]);
    await trackers[0].publishAsync(deviceTopic(vehicle.imei), JSON.stringify(positionReport()), { qos: 1 });
    await trackers[1].publishAsync(deviceTopic(foreign.imei), JSON.stringify(positionReport()), { qos: 1 });
    await expect.poll(() => messages).not.toEqual([]);
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
    const { topic, retain = false, payload = JSON.stringify(positionReport()) } = publish();
    const before = (await rowsOf(foreign)).length + (await rowsOf(vehicle)).length;
    const client = kind === 'browser' ? await clients.browser(person) : await clients.device(vehicle);
    const ended = closed(client);
    client.publish(topic, payload, { qos: 0, retain });
    await ended;
    expect((await rowsOf(foreign)).length + (await rowsOf(vehicle)).length).toBe(before);
  });

  it('ends the connection at a packet that is too long', async () => {
    const client = await clients.device(vehicle);
    const ended = closed(client);
    client.publish(deviceTopic(vehicle.imei), 'x'.repeat(MQTT_LIMITS.packetBytes + 1), { qos: 0 });
    await ended;
  });
});
