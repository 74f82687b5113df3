import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { teltonika, teltonikaEncode } from '@milepost/decoders';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Line } from '../../../testing/app.ts';
import {
  addVehicle,
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
import type { Gateway } from './gateway.ts';
import { LIMITS } from './limits.ts';
import { listenTcp } from './tcp-gateway.ts';

const HASTE = {
  ...LIMITS,
  loginWithinMs: 1500,
  frameWithinMs: 800,
  idleMs: 3000,
  unidentified: 5,
  unidentifiedPerAddress: 5,
  framesInFlight: 4,
};

let test: TestPipeline;
let gateway: Gateway;
const logged: string[] = [];
let vehicle: TestVehicle;
const connections = new DeviceConnections();

beforeAll(async () => {
  test = await startPipeline();
  const { context, live, pipeline } = test;
  const log = pino(new Writable({ write: (line, _encoding, done) => done(void logged.push(String(line))) }));
  context.metrics.clear();
  const metrics = createIngestMetrics(context.metrics);
  const refusedReports = watchRefusedReports(context.db.system, log);
  const unknownTrackers = watchUnknownTrackers(context.db.system, log, metrics);
  vehicle = await addVehicle(context);
  const directory = await openDirectory(context);
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
  const parts = { host: '127.0.0.1', log, metrics, pipeline, reception, connections, limits: HASTE, unknownFrames };
  gateway = await listenTcp('teltonika', teltonika, 0, parts);
});
afterAll(async () => {
  gateway.stopListening();
  gateway.close();
  await test.close();
});

const call = () => Line.to(gateway.port);
const signIn = async () => {
  const line = await call();
  line.say(teltonikaEncode.encodeLogin(vehicle.imei));
  expect(await line.hear(1)).toBe('01');
  return line;
};
let n = 0;
beforeEach(() => {
  n += 1000;
});
const fix = (second: number) => positionMessage(Date.parse('2026-11-20T12:00:00Z') + (n + second) * 1000);
const packet = (second: number) => teltonikaEncode.encodePacket([fix(second)]);

it('cuts who does not say who they are, however slowly they talk', async () => {
  const silent = await call();
  const slow = await call();
  const talking = setInterval(() => slow.say(Buffer.of(0xff)), 50);
  await Promise.all([silent.closed(), slow.closed()]);
  clearInterval(talking);
});

it('cuts who begins a frame and never ends it, and not who pauses between frames', async () => {
  const slow = await signIn();
  const whole = packet(0);
  const dripping = (async () => {
    for (const byte of whole.subarray(0, 40)) {
      slow.say(Buffer.of(byte));
      await sleep(50);
    }
  })();
  await slow.closed();
  await dripping;

  const patient = await signIn();
  await sleep(1500);
  patient.say(packet(1));
  expect(await patient.hear(4)).toBe('00000001');
  patient.hangUp();
});

it('cuts a connection on which nothing has come for long', async () => {
  const line = await signIn();
  const began = Date.now();
  await line.closed(8000);
  expect(Date.now() - began).toBeGreaterThan(2500);
});

it('refuses newcomers while too many have not said who they are, and takes them again afterwards', async () => {
  const connections = await Promise.all(Array.from({ length: 5 }, call));
  const late = await call();
  await late.closed();
  expect(connections.every(line => line.isOpen)).toBe(true);
  await Promise.all(connections.map(line => line.closed()));
  (await signIn()).hangUp();
});

it('[I1] stops reading while the database is away, acknowledges nothing, and then everything in order', async () => {
  const admin = test.context.db.system;
  await sql`alter table position rename to position_away`.execute(admin);
  const line = await signIn();
  const packets = Array.from({ length: 200 }, (_, second) => packet(second));
  line.say(Buffer.concat(packets));
  await expect.poll(() => test.pipeline.trouble()).not.toBeNull();
  await sleep(500);
  expect(line.heardBytes).toBe(0);
  expect(line.isOpen).toBe(true);
  await sql`alter table position_away rename to position`.execute(admin);
  expect(await line.hear(800)).toBe('00000001'.repeat(200));
  line.hangUp();
});

it('ends the connection, without an acknowledgement, when a position can not be stored', async () => {
  const poisonAt = new Date(fix(7).time).toISOString();
  await sql
    .raw(`alter table position add constraint poison check (fix_at <> '${poisonAt}')`)
    .execute(test.context.db.system);
  const line = await signIn();
  line.say(packet(6), packet(7), packet(8));
  await line.closed();
  expect(line.heardBytes).toBeLessThanOrEqual(4);
  await sql`alter table position drop constraint poison`.execute(test.context.db.system);
});

it('can be reached while a tracker is connected, and no longer', async () => {
  const line = await signIn();
  const connection = connections.find(vehicle.imei);
  expect(connection).toMatchObject({ vehicleId: vehicle.id, protocol: 'teltonika' });
  connection?.send(Buffer.from('c0ffee', 'hex'));
  expect(await line.hear(3)).toBe('c0ffee');
  line.hangUp();
  await expect.poll(() => connections.find(vehicle.imei)).toBeNull();
});

it('is in the log once when it is cut again and again', async () => {
  const lines = () => logged.filter(line => line.includes('Ended the connection') && line.includes('second-login'));
  for (let i = 0; i < 12; i++) {
    const line = await signIn();
    line.say(teltonikaEncode.encodeLogin('356307042441021'));
    await line.closed();
  }
  expect(lines()).toHaveLength(1);
});
