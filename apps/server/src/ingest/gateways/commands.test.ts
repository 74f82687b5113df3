import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { PROTOCOL_NAMES, protocols } from '@milepost/decoders';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Line } from '../../../testing/app.ts';
import {
  addVehicle,
  metric,
  NO_PRIVATE_TIME,
  positionMessage,
  startPipeline,
  type TestPipeline,
  type TestVehicle,
} from '../../../testing/ingest.ts';
import { openDirectory } from '../../fleet/directory.ts';
import { createIngestMetrics } from '../metrics.ts';
import { createRecentFrames } from '../recent-frames.ts';
import { openReception } from '../reception.ts';
import { watchRefusedReports } from '../refused-reports.ts';
import { watchUnknownTrackers } from '../unknown-trackers.ts';
import { Witness } from '../witness.ts';
import { DeviceConnections } from './device-connections.ts';
import type { Gateway, GatewayParts } from './gateway.ts';
import { LIMITS } from './limits.ts';
import { startGateways } from './start-gateways.ts';
import { listenTcp } from './tcp-gateway.ts';
import { listenUdp } from './udp-gateway.ts';

/** Commands of each protocol's table out over a real socket, and the tracker's answer back. */
let test: TestPipeline;
let parts: GatewayParts;
let vehicle: TestVehicle;
const connections = new DeviceConnections();

beforeAll(async () => {
  test = await startPipeline();
  const { context, live, pipeline } = test;
  const { log } = context;
  context.metrics.clear();
  const metrics = createIngestMetrics(context.metrics);
  const directory = await openDirectory(context);
  const refusedReports = watchRefusedReports(context.db.system, log);
  const unknownTrackers = watchUnknownTrackers(context.db.system, log, metrics);
  const recentFrames = createRecentFrames();
  const own = {
    directory,
    live,
    metrics,
    pipeline,
    recentFrames,
    refusedReports,
    unknownTrackers,
    witness: new Witness(),
  };
  const reception = openReception({ context, log, privateTime: NO_PRIVATE_TIME, ...own });
  const unknownFrames = { seen: () => {} };
  parts = { host: '127.0.0.1', log, metrics, pipeline, reception, connections, limits: LIMITS, unknownFrames };
});
afterAll(() => test.close());
beforeEach(async () => {
  vehicle = await addVehicle(test.context);
  await test.context.feed.settled();
});

it('any free port is one that is free for TCP and UDP', async () => {
  // So many ports are taken that one of sixty tries would hit one.
  const others = await Promise.all(
    Array.from({ length: 1500 }, async () => {
      const socket = createSocket('udp4');
      socket.bind({ port: 0, address: '127.0.0.1' });
      await once(socket, 'listening');
      return socket;
    }),
  );
  for (let i = 0; i < 60; i++) {
    const gateways = await startGateways(new Map([['teltonika', 0]]), parts);
    gateways.stopListening();
    gateways.close();
  }
  for (const socket of others) socket.close();
});

const PATIENCE = { timeout: 30_000 };

/** What the tracker would say to it, where the protocol's answer is no more than text. */
const REPLIES: Readonly<Record<string, (imei: string) => string>> = {
  gl200: imei => `+ACK:GTRTO,060228,${imei},gv300,RTL,0007,20260115083005,11F1$`,
  suntech: imei => `RES;${imei};03;01\r`,
  wialon: () => '#M#at the gate\r\n',
};

const cases = PROTOCOL_NAMES.flatMap(name => {
  const { stream, tracker, commands } = protocols[name];
  const command = commands.find(({ parameters }) =>
    parameters.every(each => each.endsWith('?') || each === 'password'),
  );
  const words = command?.text({ password: 'gv300', text: 'x' }) ?? null;
  return stream && tracker && words !== null ? [{ name, stream, tracker, words }] : [];
});

describe.each(cases)('$name', ({ name, stream, tracker, words }) => {
  it('sends a command in the protocol’s words to the tracker that it is for, and hears its answer', async () => {
    const { imei } = vehicle;
    const gateway: Gateway = await listenTcp(name, stream, 0, parts);
    const line = await Line.to(gateway.port);
    const greeting = tracker.greeting(imei);
    if (greeting) line.say(greeting);
    line.say(...tracker.reports(imei, [positionMessage(Date.now())], 1));
    await vi.waitFor(() => expect(connections.find(imei)?.protocol).toBe(name), PATIENCE);
    const frame = stream.encodeCommand(words, 7, imei);
    connections.find(imei)?.send(frame);
    const expected = Buffer.from(frame).toString('hex');
    await vi.waitFor(() => expect(line.heard).toContain(expected), PATIENCE);

    const reply = REPLIES[name]?.(imei);
    if (reply) {
      const before = await metric(test.context, 'milepost_tracker_replies_total');
      line.say(Buffer.from(reply));
      await vi.waitFor(
        async () => expect(await metric(test.context, 'milepost_tracker_replies_total')).toBe(before + 1),
        PATIENCE,
      );
    }
    line.hangUp();
    await vi.waitFor(() => expect(connections.find(imei)).toBeNull(), PATIENCE);
    gateway.stopListening();
    gateway.close();
  });
});

const datagramCases = PROTOCOL_NAMES.flatMap(name => {
  const { datagram, datagramTracker } = protocols[name];
  return datagram?.encodeCommand && datagramTracker ? [{ name, datagram, datagramTracker }] : [];
});

describe.each(datagramCases)('$name over UDP', ({ name, datagram, datagramTracker }) => {
  it('reaches the tracker where its last datagram came from', async () => {
    const { imei } = vehicle;
    const gateway = await listenUdp(name, datagram, 0, parts);
    for (let place = 0; place < 2; place++) {
      // Another place gets commands once the one before is gone.
      connections.find(imei)?.close('idle');
      const socket = createSocket('udp4');
      const heard: string[] = [];
      socket.on('message', bytes => heard.push(bytes.toString('hex')));
      socket.bind({ port: 0, address: '127.0.0.1' });
      await once(socket, 'listening');
      const [report] = datagramTracker.reports(imei, [positionMessage(Date.now() + place)], 1);
      socket.send(report ?? '', gateway.port, '127.0.0.1');
      const frame = datagram.encodeCommand?.('03', 7, imei) ?? new Uint8Array();
      await vi.waitFor(() => {
        expect(connections.find(imei)?.protocol).toBe(name);
        connections.find(imei)?.send(frame);
        expect(heard).toContain(Buffer.from(frame).toString('hex'));
      }, PATIENCE);
      socket.close();
    }
    gateway.close();
    expect(connections.find(imei)).toBeNull();
  });
});
