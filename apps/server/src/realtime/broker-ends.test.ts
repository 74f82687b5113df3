import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deviceTopic } from '@milepost/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../testing/app.ts';
import { type SignedIn, signedIn } from '../../testing/http-server.ts';
import { addVehicle, DEVICE_KEY, metric, type TestVehicle } from '../../testing/ingest.ts';
import { asBrowser, closed, granted, MqttClients, messagesTo, outcome, positionReport } from '../../testing/mqtt.ts';
import { hashDeviceKey } from '../fleet/device-key.ts';

let test: TestApp;
let clients: MqttClients;
let person: SignedIn;
let stranger: SignedIn;
let vehicle: TestVehicle;
beforeAll(async () => {
  test = await startApp();
  clients = new MqttClients(test);
  [person, stranger] = await Promise.all([signedIn(test), signedIn(test)]);
  vehicle = await addVehicle(test.context, person.accountId);
  await sleep(50);
});
afterAll(() => test.close());
afterEach(() => clients.endAll());

describe('a connection to the broker', () => {
  it('[R4.10] closes every connection of a session that signs out, and no other', async () => {
    const leaving = await signedIn(test, { accountId: person.accountId });
    const [first, second, other] = await Promise.all([
      clients.browser(leaving, '.a'),
      clients.browser(leaving, '.b'),
      clients.browser(person),
    ]);
    const ends = Promise.all([closed(first), closed(second)]);
    await test.sessions.end([leaving.sessionId]);
    await ends;
    expect(await outcome(clients.connect({ ...asBrowser(leaving) }))).not.toBeNull();
    expect(other.connected).toBe(true);
  });

  it('closes a tracker’s connection when its key is renewed, and not when the vehicle is renamed', async () => {
    const own = await addVehicle(test.context);
    await sleep(50);
    const tracker = await clients.device(own);
    const update = (change: object) =>
      test.context.db.system.updateTable('vehicle').set(change).where('id', '=', own.id).execute();
    await update({ name: 'Renamed' });
    await test.context.feed.settled();
    await sleep(100);
    expect(tracker.connected).toBe(true);
    const ended = closed(tracker);
    await update({ device_key_hash: hashDeviceKey(randomBytes(8).toString('hex')) });
    await test.context.feed.settled();
    await ended;
  });

  it('[I2] takes a vehicle that moves to another account away from those who watched it', async () => {
    const moving = await addVehicle(test.context, person.accountId);
    await sleep(50);
    const watcher = await clients.browser(person);
    const messages = messagesTo(watcher);
    expect(await granted(watcher, deviceTopic(moving.imei))).toBe(true);
    const { db, feed } = test.context;
    await db.system.deleteFrom('vehicle').where('id', '=', moving.id).execute();
    await feed.settled();
    await db.system
      .insertInto('vehicle')
      .values({
        account_id: stranger.accountId,
        imei: moving.imei,
        name: 'Sold',
        device_key_hash: hashDeviceKey(DEVICE_KEY),
      })
      .execute();
    await feed.settled();
    await sleep(100);
    const tracker = await clients.device(moving);
    await tracker.publishAsync(deviceTopic(moving.imei), JSON.stringify(positionReport()), { qos: 1 });
    await sleep(100);
    expect(messages).toEqual([]);
  });

  it('forgets who has gone', async () => {
    const watcher = await clients.browser(person);
    await granted(watcher, deviceTopic(vehicle.imei));
    await expect.poll(() => metric(test.context, 'milepost_live_subscribers')).toBe(1);
    watcher.end(true);
    await expect.poll(() => metric(test.context, 'milepost_live_subscribers')).toBe(0);
    await expect.poll(() => metric(test.context, 'milepost_mqtt_connections')).toBe(0);
  });
});
