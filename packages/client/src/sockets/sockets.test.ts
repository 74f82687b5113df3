import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SOCKET_EVENTS, SOCKET_PATH, SOCKETS, type SocketNamespace, TOLD_EVENTS } from '@milepost/contract';
import { Server } from 'socket.io';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSockets, type SocketState, type Sockets } from './sockets.ts';

/** The sockets client against a real Socket.IO server. */

let http: HttpServer;
let io: Server;
let origin = '';
let tokens: unknown[] = [];
let isKnown = true;
const opened: Sockets[] = [];

async function start(port = 0): Promise<void> {
  http = createServer();
  io = new Server(http, { path: SOCKET_PATH, transports: ['websocket'] });
  for (const namespace of ['/eld', '/geofence'] as const) {
    io.of(namespace).use((socket, next) => {
      tokens.push(socket.handshake.auth.token);
      next(isKnown ? undefined : new Error('signed-out'));
    });
  }
  io.of('/geofence').on('connection', socket => {
    socket.on('register_vehicles', (payload: { vehicles: unknown[] }, answer: (given: object) => void) => {
      const error = { code: 'invalid-input', message: 'None' };
      answer(payload.vehicles.length === 0 ? { error } : { registered: payload.vehicles.length, ignored: [] });
    });
  });
  await new Promise<void>(resolve => http.listen(port, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

beforeEach(async () => {
  tokens = [];
  isKnown = true;
  await start();
});
afterEach(async () => {
  for (const sockets of opened.splice(0)) sockets.disconnect();
  await io.close();
});

function client() {
  const states = new Map<SocketNamespace, SocketState>();
  const received: unknown[] = [];
  const logged: string[] = [];
  const session = { token: 'first' as string | null };
  const sockets = createSockets({
    origin,
    getToken: () => session.token,
    onEvent: (namespace, event, payload) => received.push([namespace, event, payload]),
    onState: (namespace, state) => states.set(namespace, state),
    log: what => logged.push(what),
  });
  opened.push(sockets);
  return { sockets, states, received, logged, session };
}
const both = (state: SocketState) =>
  new Map<SocketNamespace, SocketState>([
    ['/eld', state],
    ['/geofence', state],
  ]);
const PATIENCE = { timeout: 30_000 };

it('[R9.06] uses the constants of the specification', () => {
  expect(SOCKETS).toEqual({
    reconnectionDelay: 1000,
    reconnectionDelayMax: 5000,
    randomizationFactor: 0.5,
    timeout: 20_000,
  });
});

it('[R4.08] [R4.10] opens both over one connection with the session’s token, and ends both', async () => {
  const { sockets, states } = client();
  sockets.connect();
  await expect.poll(() => states).toEqual(both('connected'));
  expect([tokens, io.engine.clientsCount]).toEqual([['first', 'first'], 1]);
  sockets.disconnect();
  expect(states).toEqual(both('idle'));
  await expect.poll(() => io.engine.clientsCount).toBe(0);
});

it('reconnects automatically, with the current token, and receives events again', async () => {
  const { sockets, states, session, received } = client();
  sockets.connect();
  await expect.poll(() => states).toEqual(both('connected'));
  session.token = 'second';
  const { port } = http.address() as AddressInfo;
  await io.close();
  await expect.poll(() => states).toEqual(both('connecting'));
  await start(port);
  await expect.poll(() => states, PATIENCE).toEqual(both('connected'));
  expect(tokens.slice(-2)).toEqual(['second', 'second']);
  io.of('/eld').emit('assignedTaskToDriver', { v: 1, taskId: 't', seqNo: 1, title: 'Deliver', driverId: '4' });
  await expect.poll(() => received).toMatchObject([['/eld', 'assignedTaskToDriver', { title: 'Deliver' }]]);
});

it('reconnects after the server has ended it, but not when the session is no longer known', async () => {
  const { sockets, states } = client();
  sockets.connect();
  await expect.poll(() => states).toEqual(both('connected'));
  isKnown = false;
  io.of('/eld').disconnectSockets(true);
  await expect.poll(() => states, PATIENCE).toEqual(both('refused'));
  const tries = tokens.length;
  isKnown = true;
  sockets.connect();
  await expect.poll(() => states).toEqual(both('connected'));
  expect(tokens.length).toBe(tries + 2);
});

it('[R7.37] sends requests, and reports why one was refused', async () => {
  const { sockets, states } = client();
  await expect(sockets.ask('/geofence', 'register_vehicles', { vehicles: [] })).rejects.toMatchObject({
    code: 'not-connected',
  });
  sockets.connect();
  await expect.poll(() => states).toEqual(both('connected'));
  const vehicles = [{ imei: '356307042441013' }];
  expect(await sockets.ask('/geofence', 'register_vehicles', { vehicles })).toEqual({ registered: 1, ignored: [] });
  await expect(sockets.ask('/geofence', 'register_vehicles', { vehicles: [] })).rejects.toMatchObject({
    code: 'invalid-input',
  });
});

it('passes on the events that the contract names and no others, and logs no token', async () => {
  const { sockets, states, received, logged } = client();
  sockets.connect();
  await expect.poll(() => states).toEqual(both('connected'));
  io.of('/eld').emit('no_such_event', {});
  const change = { number: 7, changes: [] };
  io.of('/eld').emit('changes', change);
  await expect.poll(() => received).toHaveLength(1);
  expect(received).toEqual([['/eld', 'changes', change]]);
  expect(JSON.stringify(logged)).not.toContain('first');
});

it.each(['/eld', '/geofence'] as const)('listens to all that the server sends on %s', namespace => {
  expect(TOLD_EVENTS[namespace]).toEqual(Object.keys(SOCKET_EVENTS[namespace].told));
});
