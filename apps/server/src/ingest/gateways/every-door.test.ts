import { osmandEncode, teltonikaEncode } from '@milepost/decoders';
import mqttPacket from 'mqtt-packet';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { Line, startApp, type TestApp } from '../../../testing/app.ts';
import { type SignedIn, signedIn } from '../../../testing/http-server.ts';
import { addVehicle, DEVICE_KEY, positionMessage, type TestVehicle } from '../../../testing/ingest.ts';
import { LIMITS } from './limits.ts';

/** Connections without a login can't keep others out, on any port. */

let test: TestApp;
let owner: SignedIn;
let vehicle: TestVehicle;
beforeAll(async () => {
  test = await startApp();
  owner = await signedIn(test);
  vehicle = await addVehicle(test.context, owner.accountId);
  const directoryKnows = async () => {
    const line = await Line.to(test.port('teltonika'));
    line.say(teltonikaEncode.encodeLogin(vehicle.imei));
    const heard = await line.hear(1);
    line.hangUp();
    return heard;
  };
  await vi.waitFor(async () => expect(await directoryKnows()).toBe('01'), { timeout: 30_000 });
});
afterAll(() => test.close());

const httpPort = () => Number(new URL(test.url).port);
const osmandReport = () =>
  osmandEncode.encodeQuery(vehicle.imei, positionMessage(Math.floor(Date.now() / 1000) * 1000));

/** The port, how a tracker logs in there, and how the server's answer begins. */
const DOORS: readonly [string, () => number, () => Uint8Array, string][] = [
  ['Teltonika', () => test.port('teltonika'), () => teltonikaEncode.encodeLogin(vehicle.imei), '\x01'],
  [
    'MQTT',
    () => test.port('mqtt'),
    () =>
      mqttPacket.generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: vehicle.imei,
        keepalive: 60,
        username: vehicle.imei,
        password: Buffer.from(DEVICE_KEY),
      }),
    ' \x02\0\0',
  ],
  [
    'OsmAnd',
    () => test.port('osmand'),
    () => Buffer.from(`GET /?${osmandReport()} HTTP/1.1\r\nHost: x\r\n\r\n`),
    'HTTP/1.1 200',
  ],
  [
    'the web',
    httpPort,
    () => Buffer.from(`GET /api/v1/read_me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.token}\r\n\r\n`),
    'HTTP/1.1 200',
  ],
];

it.each(DOORS)(
  '%s limits unidentified connections per address, but not identified ones',
  async (_, port, hello, answer) => {
    const known = await Line.to(port());
    known.say(hello());
    expect(Buffer.from(await known.hear(answer.length), 'hex').toString('latin1')).toBe(answer);
    const strangers = await Promise.all(Array.from({ length: LIMITS.unidentifiedPerAddress }, () => Line.to(port())));
    const oneTooMany = await Line.to(port());
    await oneTooMany.closed();
    expect(strangers.filter(({ isOpen }) => !isOpen)).toEqual([]);
    expect(known.isOpen).toBe(true);
    strangers.pop()?.hangUp();
    const isLetIn = async () => {
      const next = await Line.to(port());
      next.say(hello());
      await vi.waitFor(() => expect(next.heardBytes > 0 || !next.isOpen).toBe(true), { timeout: 30_000 });
      next.hangUp();
      return next.heardBytes > 0;
    };
    await expect.poll(isLetIn).toBe(true);
    for (const each of [known, ...strangers]) each.hangUp();
  },
);

it('WebSockets that have not signed in count with the other connections of their address', async () => {
  const opened = () =>
    new Promise<WebSocket | null>(resolve => {
      const socket = new WebSocket(`${test.url.replace('http', 'ws')}/mqtt`, 'mqtt');
      socket.on('open', () => resolve(socket));
      socket.on('error', () => resolve(null));
    });
  const openAll = async () => {
    const sockets = await Promise.all(Array.from({ length: LIMITS.unidentifiedPerAddress + 20 }, opened));
    for (const socket of sockets) socket?.terminate();
    return sockets.filter(socket => socket !== null).length;
  };
  // The previous test's connections may not be closed yet.
  await expect.poll(openAll).toBe(LIMITS.unidentifiedPerAddress);
});
