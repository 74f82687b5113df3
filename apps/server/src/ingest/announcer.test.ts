import { PassThrough } from 'node:stream';
import { deviceMessageSchema, deviceTopic } from '@milepost/contract';
import { degrees, metresPerSecond } from '@milepost/units';
import mqttPacket from 'mqtt-packet';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NO_PRIVATE_TIME } from '../../testing/ingest.ts';
import { receivedPosition } from '../../testing/stored-positions.ts';
import { advance, toLiveState, type VehicleState } from '../fleet/vehicle-state.ts';
import { createFanOut } from '../realtime/fan-out.ts';
import type { StoredPosition } from '../tracks/stored-position.ts';
import { Announcer } from './announcer.ts';
import type { Change } from './change.ts';

const T = Date.parse('2026-11-20T12:00:00Z');
const VEHICLE = { id: 7, accountId: 1, imei: '356307042441013' };
const ENTRY = {
  ...VEHICLE,
  trackerId: null,
  name: 'Tractor 104',
  protocol: null,
  folderId: null,
  usualDriverId: null,
  trackerAddresses: [],
  odometerOffset: 0,
  speedLimitKmh: null,
};

/** The last state that a change made, of whatever vehicle. */
const NO_PRIVATE = {
  privateTime: NO_PRIVATE_TIME,
  live: {
    accounts: () => [],
    latest: () => [],
    latestOf: (vehicleId: number) => ({ vehicleId, newest: null, live: toLiveState(state) }),
  },
};

let announcer: Announcer;
let state: VehicleState | null;
let stream: PassThrough;
beforeEach(() => {
  vi.useFakeTimers();
  const fanOut = createFanOut(new Registry());
  stream = new PassThrough({ highWaterMark: 1e9 });
  fanOut.subscribe(deviceTopic(VEHICLE.imei), { accountId: 1, stream });
  const directory = { findById: (id: number) => (id === VEHICLE.id ? ENTRY : null) };
  announcer = new Announcer({
    ...NO_PRIVATE,
    log: pino({ level: 'silent' }),
    directory,
    fanOut,
    reportContext: { placeOf: () => ({ address: 'Chicago, IL', near: null }), driverOfCard: () => null },
  });
  state = null;
});
afterEach(() => {
  announcer.stop();
  vi.useRealTimers();
});

/** The change of one more position, `second` seconds into a drive. */
function change(second: number, fields: Partial<StoredPosition> = {}, vehicle = VEHICLE): Change {
  const position = receivedPosition(T + second * 1000, {
    lat: degrees(41.9 + second * 1e-4),
    speed: metresPerSecond(14),
    ignition: true,
    ...fields,
  });
  const before = state;
  state = advance(before, { receivedAt: position.receivedAt, positions: [position] }, () => {});
  return { vehicle, before, after: state, positions: 1 };
}

/** What was published since the last call: action and time, or motion. */
function published(): string[] {
  const messages: string[] = [];
  const parser = mqttPacket.parser();
  parser.on('packet', packet => {
    if (packet.cmd !== 'publish') return;
    const message = deviceMessageSchema.parse(JSON.parse(packet.payload.toString()));
    messages.push(message.action === 'positionReport' ? message.reportTime : String(message.live.motion));
  });
  parser.parse(stream.read() ?? Buffer.alloc(0));
  return messages;
}

const STANDING = { speed: metresPerSecond(0), ignition: false, lat: degrees(41.9) };

it('tells the newest position at once, and the state when the motion changed', () => {
  announcer.announce([change(0, STANDING)]);
  expect(published()).toEqual(['12:00:00', 'stopped']);
  vi.advanceTimersByTime(1000);
  announcer.announce([change(1)]);
  expect(published()).toEqual(['12:00:01']);
  vi.advanceTimersByTime(1000);
  announcer.announce([change(2)]);
  expect(published()).toEqual(['12:00:02', 'moving']);
});

it('[I9] tells of many that come together only the newest, half a second later, with what changed in between', () => {
  announcer.announce([change(0, STANDING)]);
  published();
  for (let second = 1; second <= 50; second++) announcer.announce([change(second)]);
  expect(published()).toEqual([]);
  vi.advanceTimersByTime(600);
  expect(published()).toEqual(['12:00:50', 'moving']);
  vi.advanceTimersByTime(5000);
  expect(published()).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it('[I6] tells nothing of what came late', () => {
  announcer.announce([change(100)]);
  published();
  vi.advanceTimersByTime(1000);
  announcer.announce([change(50)]);
  expect(published()).toEqual([]);
});

it('tells no position that is not believed, and that the place is in doubt', () => {
  announcer.announce([change(0, STANDING)]);
  published();
  vi.advanceTimersByTime(1000);
  announcer.announce([change(10, { ...STANDING, lat: degrees(0), lon: degrees(0) })]);
  expect(published()).toEqual(['stopped']);
});

it('gathers for 20 ms after it has told something: one write to each subscriber for many vehicles', async () => {
  const fanOut = createFanOut(new Registry());
  const entries = Array.from({ length: 30 }, (_, n) => ({ ...ENTRY, id: 100 + n, imei: `35000000000${1000 + n}` }));
  for (const { imei } of entries) fanOut.subscribe(deviceTopic(imei), { accountId: 1, stream });
  const publish = vi.spyOn(fanOut, 'publish');
  announcer = new Announcer({
    ...NO_PRIVATE,
    log: pino({ level: 'silent' }),
    directory: { findById: id => entries.find(entry => entry.id === id) ?? null },
    fanOut,
    reportContext: { placeOf: () => null, driverOfCard: () => null },
  });
  for (const entry of entries) {
    state = null;
    announcer.announce([change(0, {}, entry)]);
  }
  expect(publish).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(19);
  expect(publish).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(publish).toHaveBeenCalledTimes(2);
  expect(published().filter(told => told === '12:00:00')).toHaveLength(30);
});

it('makes nothing for a vehicle that nobody watches, or that is gone', () => {
  announcer.announce([change(0, {}, { ...VEHICLE, imei: '350000000000006' })]);
  announcer.announce([change(1, {}, { ...VEHICLE, id: 8 })]);
  expect(published()).toEqual([]);
});

it('tells of thousands a slice at a time, the event loop between them, and of each vehicle the newest once', async () => {
  vi.useRealTimers();
  const fanOut = createFanOut(new Registry());
  const entries = Array.from({ length: 300 }, (_, n) => ({ ...ENTRY, id: 100 + n, imei: `35000000000${1000 + n}` }));
  for (const { imei } of entries) fanOut.subscribe(deviceTopic(imei), { accountId: 1, stream });
  announcer = new Announcer({
    ...NO_PRIVATE,
    log: pino({ level: 'silent' }),
    directory: { findById: id => entries.find(entry => entry.id === id) ?? null },
    fanOut,
    reportContext: {
      placeOf: () => {
        for (const until = performance.now() + 0.2; performance.now() < until; );
        return null;
      },
      driverOfCard: () => null,
    },
  });
  const changes = entries.map(entry => {
    state = null;
    return change(0, STANDING, entry);
  });
  let turns = 0;
  const count = (): void => {
    turns++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const announced = announcer.announce(changes);
  const first = published().length;
  await announced;
  clearImmediate(counting);
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(600);
  expect(turns).toBeGreaterThan(3);
  expect(first + published().length).toBe(600);
});
