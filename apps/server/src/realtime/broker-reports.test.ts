import { setTimeout as sleep } from 'node:timers/promises';
import { deviceTopic } from '@milepost/contract';
import { sql } from 'kysely';
import mqttPacket from 'mqtt-packet';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Line, startApp, type TestApp } from '../../testing/app.ts';
import { type SignedIn, signedIn } from '../../testing/http-server.ts';
import { addVehicle, type TestVehicle } from '../../testing/ingest.ts';
import { asDevice, closed, granted, MqttClients, messagesTo, positionReport } from '../../testing/mqtt.ts';

let test: TestApp;
let clients: MqttClients;
let person: SignedIn;
beforeAll(async () => {
  test = await startApp();
  clients = new MqttClients(test);
  person = await signedIn(test);
});
afterAll(() => test.close());
afterEach(() => clients.endAll());

const rowsOf = ({ id }: TestVehicle) =>
  test.context.db.system.selectFrom('position').selectAll().where('vehicle_id', '=', id).orderBy('fix_at').execute();

describe('reports of trackers', () => {
  it('[I1] are acknowledged once they are in the database, in SI', async () => {
    const own = await addVehicle(test.context);
    await sleep(50);
    const tracker = await clients.device(own);
    await tracker.publishAsync(
      deviceTopic(own.imei),
      JSON.stringify(positionReport({ eventType: 'sos', mileage: 12.5 })),
      {
        qos: 1,
      },
    );
    expect(await rowsOf(own)).toMatchObject([
      { protocol: 'mqtt', lat: 41.9, speed: 10, ignition: true, event: 'sos', odometer: 12_500, valid: true },
    ]);
  });

  it('are a sign of life: a tracker that sends nothing else outlives its keepalive', async () => {
    const own = await addVehicle(test.context);
    await sleep(50);
    const line = await Line.to(test.port('mqtt'));
    const { clientId = '', username, password = '' } = asDevice(own);
    const credentials = { clientId, username, password: Buffer.from(password) };
    const protocol = { protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 1 } as const;
    line.say(mqttPacket.generate({ cmd: 'connect', ...protocol, ...credentials }));
    expect(await line.hear(4)).toBe('20020000');
    // Silence ends the connection after one and a half times the keepalive [MQTT-3.1.2-24].
    for (let messageId = 1; messageId <= 8; messageId++) {
      const packet = { topic: deviceTopic(own.imei), qos: 1, messageId, retain: false, dup: false } as const;
      line.say(mqttPacket.generate({ cmd: 'publish', ...packet, payload: JSON.stringify(positionReport()) }));
      expect(await line.hear(4)).toBe(`4002000${messageId}`);
      await sleep(300);
    }
    expect(await rowsOf(own)).toHaveLength(8);
    // And silence is one.
    await line.closed();
  });

  it('[R3.03] [R7.33] reach the subscribers as position reports of the contract, and never as they were sent', async () => {
    const own = await addVehicle(test.context, person.accountId);
    await sleep(50);
    const [tracker, watcher] = await Promise.all([clients.device(own), clients.browser(person)]);
    const messages = messagesTo(watcher);
    expect(await granted(watcher, deviceTopic(own.imei))).toBe(true);
    const sent = positionReport({ secret: 'not for others' });
    await tracker.publishAsync(deviceTopic(own.imei), JSON.stringify(sent), { qos: 1 });
    await expect.poll(() => messages).toHaveLength(2);
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
    const [tracker, watcher] = await Promise.all([clients.device(own), clients.browser(person)]);
    const messages = messagesTo(watcher);
    await granted(watcher, deviceTopic(own.imei));
    const [older, newer] = [positionReport(), positionReport()];
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
      const tracker = await clients.device(own);
      const ended = closed(tracker);
      tracker.publish(deviceTopic(own.imei), payload, { qos: 1 });
      await ended;
    }
    expect(await rowsOf(own)).toEqual([]);
  });

  it('[I1] wait for the database, and are acknowledged in their order when it is back', async () => {
    const own = await addVehicle(test.context);
    await sleep(50);
    const tracker = await clients.device(own);
    await sql`alter table position rename to position_away`.execute(test.context.db.system);
    const acknowledged: number[] = [];
    const publishes = Array.from({ length: 20 }, (_, n) =>
      tracker
        .publishAsync(deviceTopic(own.imei), JSON.stringify(positionReport()), { qos: 1 })
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
