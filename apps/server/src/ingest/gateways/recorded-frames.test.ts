import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DecodedMessage,
  gt06,
  gt06Encode,
  osmand,
  type StreamProtocol,
  teltonika,
  teltonikaEncode,
} from '@milepost/decoders';
import { epochMs } from '@milepost/units';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Line, startApp, type TestApp } from '../../../testing/app.ts';
import { addVehicle, type TestVehicle } from '../../../testing/ingest.ts';

/**
 * Frames recorded from real trackers, which aren't part of the product. Their meaning is tested beside the decoders;
 * here, that it is stored and answered.
 */
const FOLDER = new URL('../../../../../../shared/fixtures/frames/', import.meta.url);
const hasFrames = existsSync(FOLDER);
if (!hasFrames) console.info('Skipped: there are no recorded frames beside this checkout.');

interface Recorded {
  readonly hex?: string;
  readonly http?: string;
  readonly expect: { readonly kind: string };
}
const framesOf = (protocol: string): Recorded[] => {
  if (!hasFrames) return [];
  return (JSON.parse(readFileSync(new URL(`${protocol}.json`, FOLDER), 'utf8')) as { frames: Recorded[] }).frames;
};

let test: TestApp;
const vehicles: TestVehicle[] = [];
beforeAll(async () => {
  if (!hasFrames) return;
  test = await startApp();
  const frames = ['teltonika', 'gt06', 'osmand'].flatMap(framesOf);
  for (const _ of frames) vehicles.push(await addVehicle(test.context));
  // Vehicles become known in order, so once the last is known, all are.
  await vi.waitUntil(() => signsIn(vehicles.at(-1)?.imei ?? ''), { timeout: 35_000 });
});
afterAll(() => test?.close());

async function signsIn(imei: string): Promise<boolean> {
  const line = await Line.to(test.port('teltonika'));
  line.say(teltonikaEncode.encodeLogin(imei));
  const answer = await line.hear(1);
  line.hangUp();
  return answer === '01';
}
function newVehicle(): TestVehicle {
  const vehicle = vehicles.shift();
  if (!vehicle) throw new Error('There is a vehicle for every frame');
  return vehicle;
}
const timesOf = async ({ id }: TestVehicle) => {
  const rows = await test.context.db.system
    .selectFrom('position')
    .select('fix_at')
    .where('vehicle_id', '=', id)
    .execute();
  return rows.map(row => row.fix_at.getTime()).sort((a, b) => a - b);
};
/** What has to be stored: each fix time once, and alarms without a place at the time that they tell. */
const expectedTimes = (messages: readonly DecodedMessage[]) => {
  const times = messages.flatMap(message => (message.kind === 'position' ? [message.time] : []));
  return [...new Set(times)].sort((a, b) => a - b);
};

describe.skipIf(!hasFrames)('[I1] recorded frames over real sockets, in a session of a known tracker', () => {
  const streams: readonly [string, StreamProtocol, (imei: string) => Uint8Array][] = [
    ['teltonika', teltonika, imei => teltonikaEncode.encodeLogin(imei)],
    ['gt06', gt06, imei => gt06Encode.encodeLogin(imei, 1)],
  ];
  const cases = streams.flatMap(([name, protocol, login]) =>
    framesOf(name).map((frame, n) => ({ name, n, frame, protocol, login })),
  );
  it.each(cases)('$name frame $n: $frame.expect.kind', async ({ name, frame, protocol, login }) => {
    const vehicle = newVehicle();
    const bytes = Buffer.from(frame.hex ?? '', 'hex');
    const session = { imei: vehicle.imei, receivedAt: epochMs(Date.now()) };
    const greeting =
      protocol.decode(login(vehicle.imei), { ...session, imei: null }).acknowledgement ?? new Uint8Array();
    const { messages, acknowledgement } = protocol.decode(bytes, session);
    const isLogin = messages.some(message => message.kind === 'login');

    const line = await Line.to(test.port(name as 'teltonika' | 'gt06'));
    line.say(login(vehicle.imei));
    expect(await line.hear(greeting.length)).toBe(Buffer.from(greeting).toString('hex'));
    line.say(bytes);
    if (acknowledgement && !isLogin) {
      const answer = await line.hear(acknowledgement.length);
      // An answer with the time may be of the next second.
      const later =
        protocol.decode(bytes, { ...session, receivedAt: epochMs(Date.now()) }).acknowledgement ?? acknowledgement;
      expect([acknowledgement, later].map(each => Buffer.from(each).toString('hex'))).toContain(answer);
    } else {
      await sleep(60);
    }
    const stored = isLogin ? [] : expectedTimes(messages);
    await expect.poll(() => timesOf(vehicle)).toEqual(expect.arrayContaining(stored));
    const times = await timesOf(vehicle);
    const alarms = messages.filter(message => message.kind === 'status' && message.event !== null);
    // What each frame must yield, the decoders' own test knows; what yields nothing stores nothing.
    expect(times.length).toBeLessThanOrEqual(expectedTimes(messages).length + alarms.length);
    line.hangUp();
  });

  it.each(framesOf('osmand').map((frame, n) => ({ n, frame })))(
    'osmand frame $n: $frame.expect.kind',
    async ({ frame }) => {
      const vehicle = newVehicle();
      // The recorded ids are of trackers that nobody has here.
      const path = (frame.http ?? '').replace(/\b(id|deviceid)=[^&]*/, `$1=${vehicle.imei}`);
      const query = path.split('?')[1] ?? '';
      const receivedAt = epochMs(Date.now());
      const messages = osmand.decodeRequest({ method: 'GET', query, contentType: null, body: '' }, receivedAt);
      const answer = await fetch(`http://127.0.0.1:${test.port('osmand')}${path}`);
      const times = await timesOf(vehicle);
      if (messages.some(message => message.kind === 'error')) {
        expect(answer.status).toBe(400);
        expect(times).toEqual([]);
      } else {
        expect(answer.status).toBe(200);
        // A report without a time stands under the moment of its arrival.
        expect(times).toHaveLength(expectedTimes(messages).length);
      }
      if (frame.expect.kind === 'position') expect(times).toHaveLength(1);
    },
  );
});
