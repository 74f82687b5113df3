import { deviceTopic, TRACKER_PROTOCOLS } from '@milepost/contract';
import { type FramePart, gt06Encode, osmandEncode, teltonikaEncode } from '@milepost/decoders';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Line, startApp, type TestApp } from '../../../testing/app.ts';
import { call, type SignedIn, signedIn } from '../../../testing/http-server.ts';
import { addVehicle, positionMessage, type TestVehicle } from '../../../testing/ingest.ts';

let test: TestApp;
let vehicle: TestVehicle;
let owner: SignedIn;
beforeAll(async () => {
  test = await startApp();
  vehicle = await addVehicle(test.context);
  owner = await signedIn(test, { accountId: vehicle.accountId });
});
afterAll(() => test.close());

interface Frame {
  readonly receivedAt: string;
  readonly protocol: string;
  readonly over: string;
  readonly length: number;
  readonly bytes: string;
  readonly fixes: readonly string[];
  readonly parts: readonly FramePart[];
}

const NOW = Math.floor(Date.now() / 1000) * 1000;
const CARD = '01000000A1B2C3D4';
const read = async (query = '', token = owner.token) =>
  (await call(test.url, 'GET', `/api/v1/device/${vehicle.id}/frame${query}`, { token })).body as Frame[];
const leaves = (parts: readonly FramePart[]): FramePart[] =>
  parts.flatMap(part => (part.parts ? leaves(part.parts) : [part]));

/** Its tracker is another from now on. */
async function reportsOver(protocol: string): Promise<void> {
  const path = `/api/v1/device/${vehicle.id}`;
  const answer = await call(test.url, 'PATCH', path, { token: owner.token, body: { protocol } });
  expect(answer.status).toBe(200);
}

describe('the last frames of a vehicle', () => {
  it('are what came over each way, newest first, explained to the last byte', async () => {
    const sent = positionMessage(NOW - 60_000, { rfid: CARD });
    const packet = teltonikaEncode.encodePacket([sent]);
    const line = await Line.to(test.port('teltonika'));
    line.say(teltonikaEncode.encodeLogin(vehicle.imei));
    expect(await line.hear(1)).toBe('01');
    line.say(packet, teltonikaEncode.encodeResponse('Param 2001: secret'));
    await line.hear(4);
    line.hangUp();
    await reportsOver('osmand');
    const query = osmandEncode.encodeQuery(vehicle.imei, positionMessage(NOW - 30_000));
    // The doors hear of it a moment later.
    const send = async () => (await fetch(`http://127.0.0.1:${test.port('osmand')}/?${query}`)).status;
    await expect.poll(send).toBe(200);

    const frames = await read();
    expect(frames.map(({ protocol, over }) => [protocol, over])).toEqual([
      ['osmand', 'http'],
      ['teltonika', 'tcp'],
    ]);
    const [phone, tracker] = frames;
    expect(Buffer.from(phone!.bytes, 'hex').toString()).toBe(query);
    expect(tracker).toMatchObject({
      bytes: Buffer.from(packet).toString('hex'),
      length: packet.length,
      fixes: [new Date(NOW - 60_000).toISOString()],
    });
    for (const { parts, length } of frames) {
      const pieces = leaves(parts);
      expect(pieces.map(({ from }) => from)).toEqual([0, ...pieces.slice(0, -1).map(({ to }) => to)]);
      expect(pieces.at(-1)?.to).toBe(length);
      expect(pieces.find(({ name }) => name === 'latitude')?.value).toMatch(/^41\.9/);
    }
    // Of a message the very frame.
    expect(await read(`?receivedAt=${tracker!.receivedAt}`)).toEqual([tracker]);
    expect(await read('?limit=1')).toEqual([phone]);
  });

  it('are of MQTT trackers, too', async () => {
    await reportsOver('mqtt');
    const { body } = await call(test.url, 'POST', `/api/v1/device/${vehicle.id}/key`, { token: owner.token });
    const password = (body as { deviceKey: string }).deviceKey;
    const connect = () =>
      connectAsync({
        host: '127.0.0.1',
        port: test.port('mqtt'),
        clientId: vehicle.imei,
        username: vehicle.imei,
        password,
      });
    const client = await vi.waitFor(connect, { timeout: 40_000 });
    const at = new Date(NOW - 10_000).toISOString();
    const report = {
      action: 'positionReport',
      lat: 41.91,
      lon: -87.6,
      reportDate: at.slice(0, 10),
      reportTime: at.slice(11, 19),
    };
    await client.publishAsync(deviceTopic(vehicle.imei), JSON.stringify(report), { qos: 1 });
    await client.endAsync();
    const [frame] = await read('?limit=1');
    expect(frame).toMatchObject({ protocol: 'mqtt', over: 'mqtt', fixes: [at] });
    expect(frame?.parts[1]).toMatchObject({ name: 'lat', value: '41.91' });
  });

  it('are seen of a driver only as far as they drove themselves', async () => {
    const driver = await signedIn(test, { accountId: vehicle.accountId, role: 'driver' });
    const { status } = await call(test.url, 'GET', `/api/v1/device/${vehicle.id}/frame`, { token: driver.token });
    expect(status).toBe(404);
  });

  it('are gone with the vehicle', async () => {
    const other = await addVehicle(test.context);
    const { token } = await signedIn(test, { accountId: other.accountId });
    const path = `/api/v1/device/${other.id}`;
    // The server loads a new vehicle after the change is announced.
    await expect.poll(async () => (await call(test.url, 'GET', `${path}/frame`, { token })).body).toEqual([]);
    const line = await Line.to(test.port('gt06'));
    line.say(gt06Encode.encodeLogin(other.imei, 1), gt06Encode.encodeLocation(positionMessage(NOW), 2));
    await line.hear(10);
    line.hangUp();
    await expect.poll(async () => (await call(test.url, 'GET', `${path}/frame`, { token })).body).toHaveLength(1);
    expect((await call(test.url, 'DELETE', path, { token })).status).toBe(200);
    expect((await call(test.url, 'GET', `${path}/frame`, { token })).status).toBe(404);
  });
});

it('says at which port it listens for each protocol', async () => {
  const { body } = await call(test.url, 'GET', '/api/v1/tracker_port', { token: owner.token });
  const ports = new Map((body as { protocol: never; port: number }[]).map(({ protocol, port }) => [protocol, port]));
  expect(Object.fromEntries(ports)).toEqual(Object.fromEntries(test.app.trackerPorts));
  expect([...ports.keys()].toSorted()).toEqual(TRACKER_PROTOCOLS.toSorted());
});
