import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Alert } from '@milepost/contract';
import { SOCKET_PATH } from '@milepost/contract';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { call } from '../../../testing/http-server.ts';
import { addVehicle } from '../../../testing/ingest.ts';
import { type Person, type PersonOptions, person } from '../../../testing/people.ts';
import { endOf, joined, refusalOf, socketTo } from '../../../testing/sockets.ts';
import { SOCKET_LIMITS } from './limits.ts';

/** Clients that shouldn't be on the sockets, or send too much. */

let test: TestApp;
const open: { close(): void }[] = [];
beforeAll(async () => {
  test = await startApp();
});
afterAll(async () => {
  for (const each of open) each.close();
  await test.close();
});

const someone = (options: PersonOptions = {}) =>
  person({ ...test, call: (method, path, more) => call(test.url, method, path, more) }, options);
async function socketOf({ token }: Pick<Person, 'token'>): Promise<Socket> {
  const socket = await joined(test.url, '/eld', token);
  open.push(socket);
  return socket;
}

/** A raw connection, because Socket.IO's client keeps to the rules. */
async function bare(query = 'EIO=4&transport=websocket', headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${test.url.replace('http', 'ws')}${SOCKET_PATH}/?${query}`, { headers });
  open.push(socket);
  socket.on('error', () => {});
  const heard: string[] = [];
  socket.on('message', message => heard.push(String(message)));
  await once(socket, 'open');
  return { socket, heard, closed: new Promise<void>(resolve => socket.once('close', () => resolve())) };
}

describe('coming in', () => {
  it.each<[string, object]>([
    ['without a token', {}],
    ['with a token that is nobody’s', { token: randomBytes(32).toString('base64url') }],
    ['with a token that is no text', { token: { $ne: null } }],
    ['with a token that is far too long', { token: 'x'.repeat(100_000) }],
  ])('is refused %s', async (_, auth) => {
    expect(await refusalOf(socketTo(test.url, '/eld', auth))).toBe('signed-out');
    expect(await refusalOf(socketTo(test.url, '/geofence', auth))).toBe('signed-out');
  });

  it('is refused with the token of a session that has ended, and with one in the address', async () => {
    const bob = await someone();
    await bob.call('POST', 'signout');
    expect(await refusalOf(socketTo(test.url, '/eld', { token: bob.token }))).toBe('signed-out');
    const ann = await someone();
    const { socket, heard } = await bare(`EIO=4&transport=websocket&token=${ann.token}`);
    socket.send('40/eld,');
    await expect.poll(() => heard.at(-1)).toBe('44/eld,{"message":"signed-out"}');
  });

  it.each(['/', '/admin'])('is refused into the namespace %s, with a token or without', async namespace => {
    const ann = await someone();
    for (const auth of [{}, { token: ann.token }]) {
      expect(await refusalOf(socketTo(test.url, namespace as '/eld', auth))).toBe('Invalid namespace');
    }
  });

  it('is over with the last namespace of a connection', async () => {
    const ann = await someone();
    const { socket, heard, closed } = await bare();
    const isIn = (namespace: string) =>
      expect.poll(() => heard.some(each => each.startsWith(`40${namespace}`))).toBe(true);
    socket.send(`40/eld,${JSON.stringify({ token: ann.token })}`);
    await isIn('/eld');
    socket.send(`40/geofence,${JSON.stringify({ token: ann.token })}`);
    await isIn('/geofence');
    socket.send('41/eld,');
    socket.send('41/geofence,');
    await closed;
  });

  it('is refused over long polling, and from another site’s page', async () => {
    const polling = await fetch(`${test.url}${SOCKET_PATH}/?EIO=4&transport=polling`);
    expect(polling.ok && (await polling.text()).includes('sid')).toBe(false);
    await expect(bare(undefined, { origin: 'https://evil.example' })).rejects.toThrow('403');
  });

  it('is refused to a session with too many connections', async () => {
    const ann = await someone();
    for (let i = 0; i < SOCKET_LIMITS.ofSession; i++) await socketOf(ann);
    expect(await refusalOf(socketTo(test.url, '/eld', { token: ann.token }))).toBe('too-many-connections');
    await socketOf(await someone({ accountId: ann.accountId }));
  });
});

describe('[R4.10] being there', () => {
  it.each<[string, (owner: Person, bob: Person) => Promise<unknown>]>([
    ['signs out', (_, bob) => bob.call('POST', 'signout')],
    ['is deactivated', (owner, bob) => owner.call('PATCH', `update_my_user/${bob.userId}`, { active: false })],
    ['gets another role', (owner, bob) => owner.call('PATCH', `update_my_user/${bob.userId}`, { role: 'driver' })],
    ['is signed out everywhere', (owner, bob) => owner.call('POST', `sign_out_my_user/${bob.userId}`)],
  ])('ends at once for someone who %s, and for nobody else', async (_, end) => {
    const owner = await someone();
    const bob = await someone({ accountId: owner.accountId, role: 'viewer' });
    const [theirs, own] = [await socketOf(bob), await socketOf(owner)];
    const ended = endOf(theirs);
    await end(owner, bob);
    await ended;
    expect(own.connected).toBe(true);
  });
});

describe('sending', () => {
  it('too much at once ends the connection', async () => {
    const { socket, closed } = await bare();
    socket.send(`4${'x'.repeat(SOCKET_LIMITS.payloadBytes + 1)}`);
    await closed;
  });

  it('floods of packets ends the connection, signed in or not', async () => {
    const { socket, closed } = await bare();
    for (let i = 0; i < SOCKET_LIMITS.packets.count + 5; i++) socket.send('3');
    await closed;
    const ann = await socketOf(await someone());
    const ended = endOf(ann);
    for (let i = 0; i < SOCKET_LIMITS.packets.count + 5; i++) ann.emit('no such event', i);
    await ended;
  });

  it('more events than anybody has reason to is refused, and ends nothing', async () => {
    const ann = await socketOf(await someone());
    const ask = () => ann.emitWithAck('assignedTaskToDriver', {}) as Promise<{ error: { code: string } }>;
    const answers = await Promise.all(Array.from({ length: SOCKET_LIMITS.events.count + 1 }, ask));
    expect(answers.slice(0, -1).every(({ error }) => error.code === 'invalid-input')).toBe(true);
    expect(answers.at(-1)?.error.code).toBe('too-many-requests');
    expect(ann.connected).toBe(true);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a list', []],
    ['bytes', Buffer.from('a')],
    ['a task for nobody', { taskId: 't', seqNo: 1, title: 'x', driverId: '2000000000' }],
    ['a task with a hostile id', { taskId: 't', seqNo: 1, title: 'x', driverId: "1' or '1'='1" }],
    ['a prototype', JSON.parse('{"__proto__":{"driverId":"1"}}')],
  ])('%s is answered with a refusal', async (_, payload) => {
    const ann = await socketOf(await someone());
    expect(await ann.emitWithAck('assignedTaskToDriver', payload)).toMatchObject({
      error: { code: expect.stringMatching(/^(invalid-input|not-found)$/) },
    });
  });

  it('without waiting for an answer, or words that are none of the server’s, harms nobody', async () => {
    const ann = await socketOf(await someone());
    ann.emit('assignedTaskToDriver');
    ann.emit('alert_changed', { id: 'mine' });
    ann.emit('disconnecting-not');
    expect(await ann.emitWithAck('assignedTaskToDriver', {})).toMatchObject({ error: { code: 'invalid-input' } });
  });
});

it('[R6.05] a browser that does not read gets the newest state of each alert, and no queue', async () => {
  const owner = await someone();
  const vehicle = await addVehicle(test.context, owner.accountId);
  await expect.poll(async () => (await owner.call('GET', `device/${vehicle.id}`)).status).toBe(200);
  const socket = await socketOf(owner);
  const heard: Alert[] = [];
  socket.on('alert_changed', alert => heard.push(alert));
  const connection = (
    socket.io.engine as unknown as { transport: { ws: { _socket: { pause(): void; resume(): void } } } }
  ).transport.ws._socket;
  connection.pause();
  const alert = (count: number): Alert => ({
    id: 'the same',
    kind: 'sos',
    severity: 'critical',
    deviceId: String(vehicle.id),
    imei: vehicle.imei,
    deviceName: 'x'.repeat(50_000),
    driver: null,
    event: null,
    openedAt: new Date().toISOString(),
    updatedAt: new Date().toISOString(),
    count,
    closedAt: null,
    late: false,
    muted: false,
    lat: null,
    lon: null,
    address: null,
    near: null,
    figures: { speed: null, temp: null, battery: null, supply: null, fuelLost: null },
    escalation: null,
    rule: null,
    geofence: null,
    conflict: null,
    task: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    note: null,
    commandId: null,
    askedBy: null,
  });
  const LAST = 1000;
  const about = { kind: 'silent', vehicleId: vehicle.id, driverId: null, taskBy: null, askedBy: null } as const;
  for (let count = 1; count <= LAST; count++) {
    const { accountId } = owner;
    test.context.signals.emit('alert-changed', { accountId, about, alert: alert(count) });
    // Time to write, as between two real changes.
    if (count % 10 === 0) await new Promise(resolve => setImmediate(resolve));
  }
  connection.resume();
  await expect.poll(() => heard.at(-1)?.count).toBe(LAST);
  // What the kernel's buffers took before they were full, and not the fifty megabytes.
  expect(heard.length).toBeLessThan(LAST / 2);
});
