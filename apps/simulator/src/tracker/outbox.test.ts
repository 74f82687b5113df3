import { type AddressInfo, createServer, type Server } from 'node:net';
import { type PositionMessage, teltonika } from '@milepost/decoders';
import { degrees, epochMs } from '@milepost/units';
import { afterEach, expect, it } from 'vitest';
import { createOutbox } from './outbox.ts';
import { teltonikaOverTcp } from './teltonika.ts';

const position = (second: number): PositionMessage => ({
  kind: 'position',
  time: epochMs(1_760_000_000_000 + second * 1000),
  valid: true,
  lat: degrees(41.88),
  lon: degrees(-87.63),
  speed: null,
  course: null,
  altitude: null,
  satellites: 9,
  hdop: null,
  ignition: null,
  odometer: null,
  fuel: null,
  temperature: null,
  gsm: null,
  event: null,
  rfid: null,
  attributes: {},
});

let server: Server;
afterEach(() => void server.close());

/** A server that stores what it acknowledges, and drops the connection without an answer when `drop` returns so. */
function listen(stored: number[], drop: (packet: number) => 'before' | 'after' | null): Promise<number> {
  let packets = 0;
  server = createServer(socket => {
    socket.on('error', () => {});
    let buffer = Buffer.alloc(0);
    socket.on('data', chunk => {
      buffer = Buffer.concat([buffer, chunk]);
      for (;;) {
        const scan = teltonika.nextFrame(buffer);
        if (scan.status !== 'frame') return;
        const { messages, acknowledgement } = teltonika.decode(buffer.subarray(0, scan.end), {
          imei: '350000000000006',
          receivedAt: epochMs(Date.now()),
        });
        buffer = buffer.subarray(scan.end);
        const positions = messages.filter(message => message.kind === 'position');
        const end = positions.length > 0 ? drop(packets++) : null;
        if (end === 'before') return socket.destroy();
        stored.push(...positions.map(one => one.time));
        if (end === 'after') return socket.destroy();
        if (acknowledgement) socket.write(acknowledgement);
      }
    });
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

it('resends until acknowledged, whatever fails in between, and loses nothing', { timeout: 30_000 }, async () => {
  const stored: number[] = [];
  const port = await listen(stored, packet => (packet === 1 ? 'before' : packet === 3 ? 'after' : null));
  const outbox = createOutbox(teltonikaOverTcp('127.0.0.1', port, '350000000000006'));
  const all = Array.from({ length: 400 }, (_, second) => position(second));
  outbox.addHistory(all.slice(0, 200).values());
  outbox.add(all.slice(200));
  await expect.poll(() => outbox.empty).toBe(true);
  outbox.close();
  expect(new Set(stored)).toEqual(new Set(all.map(one => one.time)));
  expect(outbox.acknowledged).toBe(400);
});

it('sends new positions before stored ones', async () => {
  const stored: number[] = [];
  const port = await listen(stored, () => null);
  const outbox = createOutbox(teltonikaOverTcp('127.0.0.1', port, '350000000000006'));
  outbox.add([position(1000)]);
  outbox.addHistory([position(1), position(2)].values());
  await expect.poll(() => outbox.empty).toBe(true);
  outbox.close();
  expect(stored).toEqual([1000, 1, 2].map(second => position(second).time));
});
