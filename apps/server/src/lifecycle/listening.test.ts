import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GatewayName } from '../config/config.ts';
import { listenFailure } from './listening.ts';

let taken: Server;
let port: number;
beforeAll(async () => {
  taken = createServer();
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve));
  port = (taken.address() as AddressInfo).port;
});
afterAll(() => taken.close());

interface Ports {
  readonly http?: number;
  readonly mqtt?: number;
  readonly gateways?: [GatewayName, number][];
}
const configOf = ({ http = 1, mqtt = 2, gateways = [] }: Ports, host = '127.0.0.1') => ({
  http: { host, port: http, publicUrl: '', trustedProxies: [] },
  mqttPort: mqtt,
  gateways: new Map(gateways),
});

const failureOf = (listen: (fail: (error: unknown) => void) => void): Promise<unknown> => new Promise(listen);
const tcp = (host = '127.0.0.1', at = port) => failureOf(fail => createServer().once('error', fail).listen(at, host));

it('names the variable whose port is in use', async () => {
  const error = await tcp();
  expect(listenFailure(error, configOf({ http: port }))?.message).toBe(
    `Port ${port} is in use by another program. End that program, or set PORT to another port, e.g. PORT=${port + 1}.`,
  );
  expect(listenFailure(error, configOf({ mqtt: port }))?.message).toContain(`set MQTT_PORT to another port`);
  expect(listenFailure(error, configOf({ gateways: [['gt06', port]] }))?.message).toContain(
    'set GATEWAYS (its gt06 entry) to another port',
  );
});

it('names it for a UDP port in use, too', async () => {
  const socket = createSocket('udp4');
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve));
  const { port: udpPort } = socket.address();
  const error = await failureOf(fail => createSocket('udp4').once('error', fail).bind(udpPort, '127.0.0.1'));
  socket.close();
  expect(listenFailure(error, configOf({ gateways: [['teltonika', udpPort]] }))?.message).toContain(
    `Port ${udpPort} is in use`,
  );
});

it('reports a HOST that is not an address of this machine', async () => {
  // TEST-NET-1, RFC 5737: not an address of any machine.
  const error = await tcp('192.0.2.1', 18_199);
  expect(listenFailure(error, configOf({ http: 18_199 }, '192.0.2.1'))?.message).toMatch(
    /^HOST is "192\.0\.2\.1", which is no address of this machine\./,
  );
  const unknown = await tcp('nowhere.invalid', 18_199);
  expect(listenFailure(unknown, configOf({}, 'nowhere.invalid'))?.message).toMatch(/^HOST is "nowhere\.invalid"/);
});

it('leaves other failures alone', () => {
  for (const error of [
    new Error('other'),
    null,
    undefined,
    'text',
    Object.assign(new Error(), { code: 'EADDRINUSE' }),
  ]) {
    expect(listenFailure(error, configOf({}))).toBeNull();
  }
});
