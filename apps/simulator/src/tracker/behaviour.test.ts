import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type DecodedMessage, type PositionMessage, PROTOCOL_NAMES, protocols } from '@milepost/decoders';
import { epochMs } from '@milepost/units';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DrivenVehicle } from '../fleet/vehicle.ts';
import { type Behaviour, obeying } from './behaviour.ts';
import { openTracker } from './open-link.ts';
import { taskIn } from './order.ts';
import { createOutbox } from './outbox.ts';

/** A server that uses each protocol's decoder, acknowledges, sends a command, and stores what it receives. */
const IMEI = '352093081452251';
const PLACE = {
  time: epochMs(Date.UTC(2026, 0, 15, 8)),
  valid: true,
  lat: 41.878,
  lon: -87.63,
  speed: 0,
  course: 0,
  altitude: 180,
  satellites: 9,
  hdop: 1,
  ignition: false,
  odometer: 1000,
  fuel: null,
  temperature: null,
  gsm: 20,
  event: null,
  rfid: null,
  attributes: {},
} as unknown as Omit<PositionMessage, 'kind'>;
const position: PositionMessage = { kind: 'position', ...PLACE };

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function serve(name: (typeof PROTOCOL_NAMES)[number], words: string) {
  const { stream } = protocols[name] as (typeof protocols)['teltonika'];
  const messages: DecodedMessage[] = [];
  const sockets: Socket[] = [];
  const server = createServer(socket => {
    sockets.push(socket);
    let buffer = Buffer.alloc(0);
    let asked = false;
    socket.on('error', () => {});
    socket.on('data', chunk => {
      buffer = Buffer.concat([buffer, chunk]);
      for (let scan = stream!.nextFrame(buffer); scan.status === 'frame'; scan = stream!.nextFrame(buffer)) {
        const decoded = stream!.decode(buffer.subarray(0, scan.end), { imei: IMEI, receivedAt: epochMs(Date.now()) });
        buffer = buffer.subarray(scan.end);
        messages.push(...decoded.messages);
        // The command goes out before the acknowledgement of the first report.
        if (!asked && decoded.messages.some(({ kind }) => kind === 'position')) {
          asked = true;
          socket.write(stream!.encodeCommand(words, 7, IMEI));
        }
        if (decoded.acknowledgement) socket.write(decoded.acknowledgement);
        if (buffer.length === 0) break;
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, messages };
}

const COMMANDS = { password: 'gv300', text: 'Hi' } as const;
const cases = PROTOCOL_NAMES.flatMap(name => {
  const { stream, tracker, commands } = protocols[name];
  const command = commands.find(each => each.command === 'engineStop') ?? commands[0];
  const words = command?.text(COMMANDS) ?? null;
  return stream && tracker && words !== null ? [{ name, words }] : [];
});

function drive(name: string, port: number, behaviour: Behaviour) {
  const open = openTracker(name as never, '127.0.0.1', port, IMEI);
  if (!open) throw new Error(name);
  const obey = vi.fn();
  const vehicle = { obey, positionAt: () => position } as unknown as DrivenVehicle;
  const outbox = createOutbox(
    open,
    undefined,
    obeying(vehicle, behaviour, () => 0, { least: 1, most: 1 }),
  );
  ends.push(() => outbox.close());
  outbox.add([position]);
  return { obey, outbox };
}

describe.each(cases)('$name', ({ name, words }) => {
  it('receives a command between its reports, carries it out and confirms it', async () => {
    const { port, messages } = await serve(name, words);
    const { obey, outbox } = drive(name, port, 'answering');
    await expect.poll(() => messages.some(({ kind }) => kind === 'reply')).toBe(true);
    await expect.poll(() => outbox.empty).toBe(true);
    const task = taskIn(name, words);
    await expect.poll(() => obey.mock.calls).toEqual(task ? [[task, expect.any(Number)]] : []);
  });
});

it('refuses in its protocol’s format, and does nothing', async () => {
  const { port, messages } = await serve('jt808', '8105 4');
  const { obey } = drive('jt808', port, 'refusing');
  await expect.poll(() => messages.find(({ kind }) => kind === 'reply')).toMatchObject({ text: '8105 failed' });
  expect(obey).not.toHaveBeenCalled();
});

it('does not answer, and keeps reporting', async () => {
  const { port, messages } = await serve('teltonika', 'setdigout 1');
  const { obey, outbox } = drive('teltonika', port, 'silent');
  await expect.poll(() => outbox.empty).toBe(true);
  outbox.add([position]);
  await expect.poll(() => messages.filter(({ kind }) => kind === 'position').length).toBe(2);
  expect(messages.some(({ kind }) => kind === 'reply')).toBe(false);
  expect(obey).not.toHaveBeenCalled();
});
