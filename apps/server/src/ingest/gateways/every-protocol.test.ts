import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { TRACKERS } from '@milepost/contract';
import {
  type DecodedMessage,
  type PositionMessage,
  PROTOCOL_NAMES,
  protocols,
  teltonikaEncode,
} from '@milepost/decoders';
import { degrees, epochMs, metresPerSecond } from '@milepost/units';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Line, startApp, type TestApp } from '../../../testing/app.ts';
import { addVehicle, positionMessage, type TestVehicle } from '../../../testing/ingest.ts';

/** Each protocol over a real socket into the database, spoken by the package's own encoders. */

const NOW = Math.floor(Date.now() / 1000) * 1000;
const fix = (n: number, fields: Partial<PositionMessage> = {}): PositionMessage =>
  positionMessage(NOW - 60_000 + n * 1000, { lat: degrees(41.9 + n * 1e-3), ...fields });
const FIXES = [fix(0), fix(1), fix(2, { event: 'sos' })];

let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

async function newVehicle(): Promise<TestVehicle> {
  const vehicle = await addVehicle(test.context);
  // The directory reads it after the signal, so it is known once a login is accepted.
  await vi.waitFor(
    async () => {
      const line = await Line.to(test.port('teltonika'));
      line.say(teltonikaEncode.encodeLogin(vehicle.imei));
      expect(await line.hear(1)).toBe('01');
      line.hangUp();
    },
    { timeout: 30_000 },
  );
  return vehicle;
}

async function expectStored(vehicle: TestVehicle, protocol: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const rows = await test.context.db.system
        .selectFrom('position')
        .selectAll()
        .where('vehicle_id', '=', vehicle.id)
        .orderBy('fix_at')
        .execute();
      expect(rows.map(row => row.fix_at.getTime())).toEqual(FIXES.map(each => each.time));
      expect(rows).toMatchObject(FIXES.map(() => ({ protocol, account_id: vehicle.accountId, valid: true })));
      for (const [i, row] of rows.entries()) expect(row.lat).toBeCloseTo(FIXES[i]!.lat, 4);
    },
    { timeout: 30_000 },
  );
}

const isTold = (message: DecodedMessage): boolean => message.kind !== 'login' && message.kind !== 'error';
const streams = PROTOCOL_NAMES.flatMap(name => {
  const { stream, tracker } = protocols[name];
  return stream && tracker ? [{ name, stream, tracker }] : [];
});
const datagrams = PROTOCOL_NAMES.flatMap(name => {
  const { datagram, datagramTracker } = protocols[name];
  return datagram && datagramTracker ? [{ name, datagram, datagramTracker }] : [];
});

it.each(PROTOCOL_NAMES)('the table of ports says how %s is spoken', name => {
  const { stream, datagram, http } = protocols[name];
  const over = http ? 'http' : [stream && 'tcp', datagram && 'udp'].filter(Boolean).join('+');
  expect(TRACKERS[name].over).toBe(over);
});

describe.each(streams)('$name over TCP', ({ name, stream, tracker }) => {
  it('[I1] brings positions to the database and hears what its decoder answers', async () => {
    const vehicle = await newVehicle();
    const line = await Line.to(test.port(name));
    const greeting = tracker.greeting(vehicle.imei);
    const heartbeat = tracker.heartbeat(vehicle.imei, 9);
    const frames = [...(greeting ? [greeting] : []), ...tracker.reports(vehicle.imei, FIXES, 1)];
    if (heartbeat) frames.push(heartbeat);
    let answers = 0;
    for (const [i, frame] of frames.entries()) {
      const session = { imei: greeting && i === 0 ? null : vehicle.imei, receivedAt: epochMs(Date.now()) };
      answers += stream.decode(frame, session).acknowledgement?.length ?? 0;
    }
    line.say(Buffer.concat(frames));
    // Some answers tell the time, so it is their length that is known beforehand.
    expect(await line.hear(answers)).toHaveLength(answers * 2);
    await expectStored(vehicle, name);
    line.hangUp();
  });

  it('of a tracker that no vehicle has stores nothing', async () => {
    const line = await Line.to(test.port(name));
    const imei = '000000000000000';
    const greeting = tracker.greeting(imei);
    line.say(...(greeting ? [greeting] : []), ...tracker.reports(imei, FIXES, 1));
    await line.closed();
  });

  it('takes nothing from what other trackers say at its port, and keeps what it could not read', async () => {
    const vehicle = await newVehicle();
    const line = await Line.to(test.port(name));
    for (const other of streams.filter(each => each.name !== name)) {
      line.say(...other.tracker.reports(vehicle.imei, FIXES, 1));
      if (!line.isOpen) break;
    }
    await sleep(100);
    const rows = test.context.db.system.selectFrom('position').select('fix_at').where('vehicle_id', '=', vehicle.id);
    expect(await rows.execute()).toEqual([]);
    line.hangUp();
  });
});

describe.each(datagrams)('$name over UDP', ({ name, datagram, datagramTracker }) => {
  it('[I1] brings positions to the database and hears what its decoder answers', async () => {
    const vehicle = await newVehicle();
    const socket = createSocket('udp4');
    for (const frame of datagramTracker.reports(vehicle.imei, FIXES, 1)) {
      const { messages, acknowledgement } = datagram.decodeDatagram(frame, epochMs(Date.now()));
      expect(messages.filter(isTold)).not.toEqual([]);
      const answered = acknowledgement ? once(socket, 'message') : null;
      socket.send(frame, test.port(name), '127.0.0.1');
      if (acknowledgement) expect(((await answered) as [Buffer])[0]).toHaveLength(acknowledgement.length);
    }
    await expectStored(vehicle, name);
    socket.close();
  });
});

/** A vehicle whose tracker has reported over another protocol than this. */
async function vehicleOfAnother(name: string): Promise<TestVehicle> {
  const vehicle = await newVehicle();
  const own = streams.find(each => each.name !== name && each.name !== 'teltonika');
  if (!own) throw new Error('There is no other protocol');
  const line = await Line.to(test.port(own.name));
  const greeting = own.tracker.greeting(vehicle.imei);
  line.say(...(greeting ? [greeting] : []), ...own.tracker.reports(vehicle.imei, FIXES, 1));
  await expectStored(vehicle, own.name);
  line.hangUp();
  return vehicle;
}

async function expectRefused(vehicle: TestVehicle, protocol: string): Promise<void> {
  const { system } = test.context.db;
  await vi.waitFor(
    async () => {
      const refused = system.selectFrom('refused_report').selectAll().where('vehicle_id', '=', vehicle.id);
      expect(await refused.execute()).toMatchObject([
        { protocol, account_id: vehicle.accountId, remote_address: '127.0.0.1' },
      ]);
    },
    { timeout: 30_000 },
  );
  const stored = system.selectFrom('position').select('protocol').where('vehicle_id', '=', vehicle.id).distinct();
  expect((await stored.execute()).map(row => row.protocol)).not.toContain(protocol);
}
const LATER = [fix(10, { speed: metresPerSecond(0) })];

it.concurrent.each(streams)(
  'a tracker over $name is refused for a vehicle of another protocol, and counted',
  async stranger => {
    const vehicle = await vehicleOfAnother(stranger.name);
    const line = await Line.to(test.port(stranger.name));
    const greeting = stranger.tracker.greeting(vehicle.imei);
    line.say(...(greeting ? [greeting] : []), ...stranger.tracker.reports(vehicle.imei, LATER, 1));
    await line.closed();
    await expectRefused(vehicle, stranger.name);
  },
);

it.concurrent.each(datagrams)(
  'a tracker over UDP of $name is refused for a vehicle of another protocol',
  async stranger => {
    const vehicle = await vehicleOfAnother(stranger.name);
    const socket = createSocket('udp4');
    for (const frame of stranger.datagramTracker.reports(vehicle.imei, LATER, 1)) {
      socket.send(frame, test.port(stranger.name), '127.0.0.1');
    }
    await expectRefused(vehicle, stranger.name);
    socket.close();
  },
);

it.concurrent('a tracker over HTTP is refused for a vehicle of another protocol', async () => {
  const vehicle = await vehicleOfAnother('osmand');
  const query = `id=${vehicle.imei}&lat=41.9&lon=-87.6&speed=0&ignition=false&timestamp=${Date.now()}`;
  expect((await fetch(`http://127.0.0.1:${test.port('osmand')}/?${query}`)).status).toBe(404);
  await expectRefused(vehicle, 'osmand');
});

it('[R4.03] a tracker of Wialon IPS hears why its packet is refused', async () => {
  const line = await Line.to(test.port('wialon'));
  line.say(Buffer.from('#L#2.0;352093081452251;NA;0000\r\n'));
  const expected = '#AL#10\r\n';
  expect(Buffer.from(await line.hear(expected.length), 'hex').toString()).toBe(expected);
  line.hangUp();
});

it('what could not be read is kept with its protocol', async () => {
  await test.close();
  test = await startApp();
  const vehicle = await newVehicle();
  const line = await Line.to(test.port('gl200'));
  line.say(Buffer.from('+RESP:GTXYZ,1,nobody$'));
  line.say(...(protocols.gl200.tracker?.reports(vehicle.imei, [fix(0)], 1) ?? []));
  // The answer to the report behind it says that it has been looked at.
  await line.hear('+SACK:0001$'.length);
  line.hangUp();
  // Written at the latest when the server stops.
  await test.app.stop();
  const kept = test.database.databases.system.selectFrom('unknown_frame').selectAll();
  expect(await kept.execute()).toMatchObject([{ protocol: 'gl200', code: 'bad-field', remote_address: '127.0.0.1' }]);
});
