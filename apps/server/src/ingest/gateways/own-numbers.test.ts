import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type ProtocolName, protocols, type Registration } from '@milepost/decoders';
import { epochMs } from '@milepost/units';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Line, startApp, type TestApp } from '../../../testing/app.ts';
import { addVehicle, positionMessage, type TestVehicle } from '../../../testing/ingest.ts';

/** Trackers that identify themselves by something other than an IMEI are still matched to their vehicle. */

let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

/** The list is written every two seconds. */
const LISTED_SOON = { timeout: 35_000, interval: 100 };
const NOW = Math.floor(Date.now() / 60_000) * 60_000 - 60_000;

async function vehicleWith(trackerId: string | null): Promise<TestVehicle> {
  const vehicle = await addVehicle(test.context);
  const { id } = vehicle;
  await test.context.db.system.updateTable('vehicle').set({ tracker_id: trackerId }).where('id', '=', id).execute();
  await test.context.feed.settled();
  return vehicle;
}

const rowsOf = ({ id }: TestVehicle) =>
  test.context.db.system.selectFrom('position').selectAll().where('vehicle_id', '=', id).execute();
const stored = (vehicle: TestVehicle, rows: number) =>
  vi.waitFor(async () => expect(await rowsOf(vehicle)).toHaveLength(rows), { timeout: 35_000 });
const registered: Readonly<Record<ProtocolName, Registration>> = protocols;

/** What the tracker sends, and how many bytes it gets back. */
async function report(name: ProtocolName, identity: string): Promise<Line> {
  const { stream, tracker } = registered[name];
  const line = await Line.to(test.port(name));
  const greeting = tracker?.greeting(identity);
  const frames = [...(greeting ? [greeting] : []), ...(tracker?.reports(identity, [positionMessage(NOW)], 1) ?? [])];
  for (const frame of frames) {
    line.say(frame);
    const answer = stream?.decode(frame, { imei: null, receivedAt: epochMs(NOW) }).acknowledgement;
    if (answer) expect(await line.hear(answer.length)).toBe(Buffer.from(answer).toString('hex'));
  }
  return line;
}

describe('a vehicle with its tracker’s own number', () => {
  it.each([
    ['jt808', '13912345678', '013912345678'],
    ['jt808', '13912345679', '00000000013912345679'],
    ['h02', '4109876543', '4109876543'],
    ['tk103', '87073104337', '087073104337'],
  ] as const)('is found over %s by %s when the tracker says %s', async (name, trackerId, identity) => {
    const vehicle = await vehicleWith(trackerId);
    const line = await report(name, identity);
    await stored(vehicle, 1);
    expect(await rowsOf(vehicle)).toMatchObject([{ protocol: name, account_id: vehicle.accountId }]);
    line.hangUp();
  });

  it('is found over datagrams, and acknowledged once its position is committed', async () => {
    const vehicle = await vehicleWith('4332149475');
    const [frame] = registered.calamp.datagramTracker?.reports('4332149475', [positionMessage(NOW)], 7) ?? [];
    const socket = createSocket('udp4');
    const heard = once(socket, 'message');
    socket.send(frame!, test.port('calamp'), '127.0.0.1');
    const [answer] = (await heard) as [Buffer];
    expect(answer.toString('hex')).toBe('02010007020000000000');
    expect(await rowsOf(vehicle)).toHaveLength(1);
    socket.close();
  });

  it('is found by the IMEI that a tracker sends without its check digit', async () => {
    const vehicle = await vehicleWith(null);
    const line = await report('jt808', vehicle.imei.slice(0, 14));
    await stored(vehicle, 1);
    line.hangUp();
  });

  it('keeps a connection on which its tracker says its IMEI and its own number', async () => {
    const vehicle = await vehicleWith('7028020617');
    const line = await report('h02', vehicle.imei);
    await stored(vehicle, 1);
    const [frame] = registered.h02.tracker?.reports('7028020617', [positionMessage(NOW + 1000)], 2) ?? [];
    line.say(frame!);
    await stored(vehicle, 2);
    const [stranger] = registered.h02.tracker?.reports('7028020618', [positionMessage(NOW + 2000)], 3) ?? [];
    line.say(stranger!);
    await line.closed();
    expect(await rowsOf(vehicle)).toHaveLength(2);
  });

  it('loses its tracker’s connection when the number goes to another account’s vehicle, which gets what follows', async () => {
    const before = await vehicleWith('7028020616');
    const line = await report('h02', '7028020616');
    await stored(before, 1);
    await test.context.db.system.updateTable('vehicle').set({ tracker_id: null }).where('id', '=', before.id).execute();
    await test.context.feed.settled();
    await line.closed();
    const after = await vehicleWith('7028020616');
    const second = await report('h02', '7028020616');
    await stored(after, 1);
    expect(await rowsOf(after)).toMatchObject([{ account_id: after.accountId }]);
    expect(await rowsOf(before)).toHaveLength(1);
    second.hangUp();
  });

  it('whose number nobody has is refused and listed as the tracker says it', async () => {
    const frame = registered.jt808.tracker?.greeting('013000000000');
    const line = await Line.to(test.port('jt808'));
    line.say(frame!);
    // 0x8100 with “no such terminal”.
    const refusal = await line.hear(18);
    expect(refusal.slice(26, 32)).toBe('000104');
    await line.closed();
    await vi.waitFor(async () => {
      const listed = await test.context.db.system.selectFrom('unknown_tracker').select('imei').execute();
      expect(listed).toContainEqual({ imei: '013000000000' });
    }, LISTED_SOON);
  });
});
