import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { gt06, gt06Encode, osmandEncode, teltonikaEncode } from '@milepost/decoders';
import { degrees, epochMs } from '@milepost/units';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Line, startApp, type TestApp } from '../../../testing/app.ts';
import { testImei } from '../../../testing/imei.ts';
import { addVehicle, metric, positionMessage, type TestVehicle } from '../../../testing/ingest.ts';
import { LIMITS } from './limits.ts';

const NOW = Math.floor(Date.now() / 1000) * 1000;
const UNKNOWN_IMEI = testImei(999_999_999);

let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

/** A vehicle that the running server knows. */
async function newVehicle(): Promise<TestVehicle> {
  const vehicle = await addVehicle(test.context);
  // Its entry is read after the signal.
  await sleep(50);
  return vehicle;
}
/** A fix every second of the minute before now. */
const fix = (n: number) => positionMessage(NOW - 60_000 + n * 1000, { lat: degrees(41.9 + n * 1e-4) });
const rowsOf = ({ id }: TestVehicle) =>
  test.context.db.system.selectFrom('position').selectAll().where('vehicle_id', '=', id).orderBy('fix_at').execute();
const times = async (vehicle: TestVehicle) =>
  (await rowsOf(vehicle)).map(row => (row.fix_at.getTime() - NOW + 60_000) / 1000);
const call = async () => Line.to(test.port('teltonika'));
const signIn = async (vehicle: TestVehicle) => {
  const line = await call();
  line.say(teltonikaEncode.encodeLogin(vehicle.imei));
  expect(await line.hear(1)).toBe('01');
  return line;
};
const packet = (...numbers: number[]) => teltonikaEncode.encodePacket(numbers.map(fix));

describe('Teltonika over TCP', () => {
  it('[I1] acknowledges the number of records once they are in the database', async () => {
    const vehicle = await newVehicle();
    const line = await signIn(vehicle);
    line.say(packet(0, 1, 2));
    expect(await line.hear(4)).toBe('00000003');
    expect(await times(vehicle)).toEqual([0, 1, 2]);
    expect(await rowsOf(vehicle)).toMatchObject(
      Array(3).fill({ protocol: 'teltonika', account_id: vehicle.accountId }),
    );
    line.hangUp();
  });

  it('acknowledges in the order of the packets, whatever way the bytes are cut', async () => {
    const vehicle = await newVehicle();
    const bytes = Buffer.concat([
      teltonikaEncode.encodeLogin(vehicle.imei),
      packet(0),
      packet(1, 2),
      packet(3, 4, 5),
      packet(6),
    ]);
    const line = await call();
    for (let at = 0; at < bytes.length; at += 37) {
      line.say(bytes.subarray(at, at + 37));
      await sleep(1);
    }
    expect(await line.hear(17)).toBe('0100000001000000020000000300000001');
    expect(await times(vehicle)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    line.hangUp();
  });

  it('still acknowledges what it was sent before the tracker stopped talking', async () => {
    const vehicle = await newVehicle();
    const line = await call();
    line.socket.end(Buffer.concat([teltonikaEncode.encodeLogin(vehicle.imei), packet(0, 1)]));
    expect(await line.hear(5)).toBe('0100000002');
    await line.closed();
  });

  it('gives no acknowledgement to a packet with a wrong checksum, and takes the next one', async () => {
    const vehicle = await newVehicle();
    const line = await signIn(vehicle);
    const broken = Buffer.from(packet(0));
    broken[broken.length - 1]! ^= 0xff;
    line.say(broken, packet(1));
    expect(await line.hear(4)).toBe('00000001');
    expect(await times(vehicle)).toEqual([1]);
    line.hangUp();
  });

  it('refuses an IMEI that belongs to no vehicle, stores nothing, and lists it once with its count', async () => {
    const before = await test.context.db.system
      .selectFrom('position')
      .select(sql<number>`count(*)::int`.as('n'))
      .executeTakeFirst();
    for (let i = 0; i < 3; i++) {
      const line = await call();
      line.say(teltonikaEncode.encodeLogin(UNKNOWN_IMEI), packet(0));
      expect(await line.hear(1)).toBe('00');
      await line.closed();
    }
    await vi.waitFor(
      async () => {
        const listed = await test.context.db.system
          .selectFrom('unknown_tracker')
          .selectAll()
          .where('imei', '=', UNKNOWN_IMEI)
          .execute();
        expect(listed).toMatchObject([{ protocol: 'teltonika', remote_address: '127.0.0.1', connections: 3 }]);
      },
      { timeout: 35_000 },
    );
    const after = await test.context.db.system
      .selectFrom('position')
      .select(sql<number>`count(*)::int`.as('n'))
      .executeTakeFirst();
    expect(after).toEqual(before);
  });

  it('stores nothing of a tracker that has not said who it is', async () => {
    const line = await call();
    line.say(packet(0));
    await sleep(100);
    expect(line.heardBytes).toBe(0);
    line.hangUp();
  });

  it('learns the protocol of a vehicle from its first report', async () => {
    const vehicle = await newVehicle();
    const line = await signIn(vehicle);
    const row = test.context.db.system.selectFrom('vehicle').select('protocol').where('id', '=', vehicle.id);
    line.say(packet(0));
    expect(await line.hear(4)).toBe('00000001');
    await expect.poll(() => row.executeTakeFirst()).toEqual({ protocol: 'teltonika' });
    line.hangUp();
  });

  it('takes what a second connection reports, and leaves the first its place', async () => {
    const vehicle = await newVehicle();
    const older = await signIn(vehicle);
    const newer = await signIn(vehicle);
    newer.say(packet(0));
    expect(await newer.hear(4)).toBe('00000001');
    expect(older.isOpen).toBe(true);
    older.hangUp();
    newer.hangUp();
  });

  it('ends the connection of a vehicle that is removed, and knows it no longer', async () => {
    const vehicle = await newVehicle();
    const line = await signIn(vehicle);
    await test.context.db.system.deleteFrom('vehicle').where('id', '=', vehicle.id).execute();
    await test.context.feed.settled();
    await line.closed();
    const again = await call();
    again.say(teltonikaEncode.encodeLogin(vehicle.imei));
    expect(await again.hear(1)).toBe('00');
  });

  it('reads the answer to a command without acknowledging it', async () => {
    const vehicle = await newVehicle();
    const line = await signIn(vehicle);
    const replies = await metric(test.context, 'milepost_tracker_replies_total');
    line.say(teltonikaEncode.encodeResponse('Battery: 12.6'), packet(0));
    expect(await line.hear(4)).toBe('00000001');
    expect(await metric(test.context, 'milepost_tracker_replies_total')).toBe(replies + 1);
    line.hangUp();
  });
});

describe('GT06', () => {
  it('[I1] answers login, heartbeat and location packets in their order', async () => {
    const vehicle = await newVehicle();
    const frames = [
      gt06Encode.encodeLogin(vehicle.imei, 1),
      gt06Encode.encodeLocation(fix(0), 2),
      gt06Encode.encodeHeartbeat({ ignition: true, charging: false, batteryLevel: 80, gsm: 20 }, 3),
      gt06Encode.encodeLocation(fix(1), 4),
    ];
    const session = { imei: vehicle.imei, receivedAt: epochMs(NOW) };
    const expected = Buffer.concat(
      frames.map(frame => gt06.decode(frame, session).acknowledgement ?? new Uint8Array()),
    );
    const line = await Line.to(test.port('gt06'));
    line.say(Buffer.concat(frames));
    expect(await line.hear(expected.length)).toBe(expected.toString('hex'));
    await expect.poll(() => times(vehicle)).toEqual([0, 1]);
    line.hangUp();
  });

  it('hangs up without a word on an IMEI that belongs to no vehicle', async () => {
    const line = await Line.to(test.port('gt06'));
    line.say(gt06Encode.encodeLogin(UNKNOWN_IMEI, 1));
    await line.closed();
    expect(line.heardBytes).toBe(0);
  });
});

describe('OsmAnd over HTTP', () => {
  const report = (query: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${test.port('osmand')}/?${query}`, init);

  it('[I1] answers 200 once the position is in the database, by GET and by POST', async () => {
    const vehicle = await newVehicle();
    const answers = await Promise.all([
      report(osmandEncode.encodeQuery(vehicle.imei, fix(0))),
      report(osmandEncode.encodeQuery(vehicle.imei, fix(1)), { method: 'POST' }),
    ]);
    expect(await times(vehicle)).toEqual([0, 1]);
    expect(await Promise.all(answers.map(async answer => [answer.status, await answer.text()]))).toEqual([
      [200, ''],
      [200, ''],
    ]);
  });

  it.each([
    ['a report that can’t be read', 'id=1&lat=north', 400, /no report/],
    ['a report without an id', `lat=41.9&lon=-87.6&timestamp=${NOW / 1000}`, 400, /names its tracker|no report/],
    [
      'an id that belongs to no vehicle',
      `id=${UNKNOWN_IMEI}&lat=41.9&lon=-87.6&timestamp=${NOW / 1000}`,
      404,
      /No vehicle/,
    ],
  ])('says what is wrong in a sentence: %s', async (_, query, status, sentence) => {
    const answer = await report(query);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(sentence);
  });

  it('refuses other methods and bodies that are too long', async () => {
    expect((await report('id=1', { method: 'DELETE' })).status).toBe(405);
    expect(
      (await report('id=1', { method: 'POST', body: 'x'.repeat(5_000_000) }).catch(() => ({ status: 413 }))).status,
    ).toBe(413);
  });
});

describe('Teltonika over UDP', () => {
  it('[I1] acknowledges a datagram with its ids and its count', async () => {
    const vehicle = await newVehicle();
    const socket = createSocket('udp4');
    const head = { imei: vehicle.imei, packetId: 0xcafe, avlPacketId: 0x05 };
    socket.send(teltonikaEncode.encodeDatagram(head, [fix(0), fix(1)]), test.port('teltonika'), '127.0.0.1');
    const [answer] = (await once(socket, 'message')) as [Buffer];
    expect(answer.toString('hex')).toBe('0005cafe010502');
    expect(await times(vehicle)).toEqual([0, 1]);
    socket.close();
  });

  it('answers nothing to a tracker that belongs to no vehicle, nor to what is no datagram of a tracker', async () => {
    const socket = createSocket('udp4');
    const heard = vi.fn();
    socket.on('message', heard);
    const head = { imei: UNKNOWN_IMEI, packetId: 1, avlPacketId: 1 };
    socket.send(teltonikaEncode.encodeDatagram(head, [fix(0)]), test.port('teltonika'), '127.0.0.1');
    socket.send('hello', test.port('teltonika'), '127.0.0.1');
    await sleep(200);
    expect(heard).not.toHaveBeenCalled();
    socket.close();
  });
});

describe('connections that misbehave', () => {
  /** While `mischief` goes on, another tracker is served as ever. */
  async function othersAreServed(): Promise<void> {
    const vehicle = await newVehicle();
    const line = await signIn(vehicle);
    line.say(packet(0));
    expect(await line.hear(4)).toBe('00000001');
    line.hangUp();
  }

  it('are cut when they send no frames', async () => {
    const line = await call();
    line.say(Buffer.alloc(LIMITS.garbageBytes * 2, 'GET / HTTP/1.1\r\n'));
    await line.closed();
    await othersAreServed();
  });

  it('are cut when frame after frame is not right', async () => {
    const vehicle = await newVehicle();
    const line = await signIn(vehicle);
    const broken = Buffer.from(packet(0));
    broken[broken.length - 1]! ^= 0xff;
    for (let i = 0; i <= LIMITS.badFrames; i++) line.say(broken);
    await line.closed();
    expect(await times(vehicle)).toEqual([]);
  });

  it('are read no faster than one tracker may send, and lose nothing', async () => {
    const vehicle = await newVehicle();
    const line = await signIn(vehicle);
    // Far more than is allowed at once, in packets of one repeated record.
    const packets = Math.ceil((LIMITS.workAtOnce + LIMITS.workPerSecond) / 2);
    const flood = Buffer.concat(Array(packets).fill(packet(1)));
    const began = Date.now();
    line.say(flood);
    await sleep(50);
    await othersAreServed();
    for (let heard = 0; heard < packets; heard += 100) {
      const due = Math.min(100, packets - heard);
      expect(await line.hear(due * 4)).toBe('00000001'.repeat(due));
    }
    expect(Date.now() - began).toBeGreaterThan(800);
    expect(await times(vehicle)).toEqual([1]);
    line.hangUp();
  }, 60_000);

  it('are closed by the hundred without a trace', async () => {
    const connections = () => metric(test.context, 'milepost_tracker_connections');
    await expect.poll(() => connections()).toBe(0);
    const lines = await Promise.all(Array.from({ length: 200 }, call));
    await expect.poll(() => connections()).toBe(200);
    for (const line of lines) {
      line.say(Buffer.of(0, 15, 0x33));
      line.hangUp();
    }
    await expect.poll(() => connections()).toBe(0);
    await othersAreServed();
  });
});
