import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MessagingCredential } from '@milepost/contract';
import { Aedes } from 'aedes';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { createLiveMessaging, type LiveMessaging } from './live-messaging.ts';

/** Live messaging over a real Aedes broker on a real WebSocket. */

const IMEIS = ['356307042441013', '490154203237518'] as const;
const FOREIGN = '352093081452251';
const message = (imei: string, n: number) => ({ action: 'vehicleState', imei, live: { intervalS: n } });

let broker: Aedes;
let server: Server;
let sockets: WebSocketServer;
let origin = '';
let password = 'p1';
let clients: string[] = [];
let received: unknown[] = [];
let logged: string[] = [];
const opened: LiveMessaging[] = [];

async function startBroker(port = 0): Promise<void> {
  broker = await Aedes.createBroker({
    authenticate: (_client, name, given, done) => done(null, name === 'demo' && given?.toString() === password),
    authorizeSubscribe: (_client, subscription, done) =>
      done(null, subscription.topic === `device/${FOREIGN}` ? null : subscription),
  });
  broker.on('clientReady', client => clients.push(client.id));
  server = createServer();
  sockets = new WebSocketServer({ server, path: '/mqtt' });
  sockets.on('connection', (socket, request) => broker.handle(createWebSocketStream(socket), request));
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stopBroker(): Promise<void> {
  for (const socket of sockets.clients) socket.terminate();
  await new Promise(resolve => broker.close(() => resolve(null)));
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
}

function start(getCredential: () => Promise<MessagingCredential | null>, over = {}): LiveMessaging {
  const live = createLiveMessaging({
    origin,
    getCredential,
    onMessage: one => received.push(one),
    log: (what, cause) => logged.push(`${what} ${cause instanceof Error ? cause.message : ''}`.trim()),
    ...over,
  });
  opened.push(live);
  live.connect();
  return live;
}
const credential = async (): Promise<MessagingCredential> => ({
  path: '/mqtt',
  clientIdPrefix: 'user-1',
  userName: 'demo',
  password,
});
const publish = (imei: string, n: number) =>
  new Promise(resolve =>
    broker.publish(
      {
        cmd: 'publish',
        topic: `device/${imei}`,
        payload: Buffer.from(JSON.stringify(message(imei, n))),
        qos: 0,
        dup: false,
        retain: false,
      },
      () => resolve(null),
    ),
  );
const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 10 });
const becomes = (live: LiveMessaging, state: LiveMessaging['state']) => until(() => expect(live.state).toBe(state));

beforeEach(async () => {
  password = 'p1';
  clients = [];
  received = [];
  logged = [];
  await startBroker();
});
afterEach(async () => {
  for (const live of opened.splice(0)) {
    live.disconnect();
    await becomes(live, 'idle');
  }
  await stopBroker();
});

describe('over a real broker', () => {
  it('receives messages of the subscribed vehicles and no others', async () => {
    const onSubscribed = vi.fn();
    const live = start(credential, { onSubscribed });
    live.subscribe([IMEIS[0]]);
    await until(() => expect(onSubscribed).toHaveBeenCalledOnce());
    expect(live.state).toBe('connected');
    expect(clients[0]).toMatch(/^user-1-\w+$/);
    await publish(IMEIS[1], 1);
    await publish(IMEIS[0], 2);
    await until(() => expect(received).toEqual([message(IMEIS[0], 2)]));
    live.subscribe([IMEIS[1]]);
    await until(() => expect(onSubscribed).toHaveBeenCalledTimes(2));
    live.unsubscribe([IMEIS[0]]);
    await publish(IMEIS[0], 3);
    await publish(IMEIS[1], 4);
    await until(() => expect(received).toEqual([message(IMEIS[0], 2), message(IMEIS[1], 4)]));
  });

  it('[R9.05] connects with a keepalive of 60 s and a clean session', async () => {
    const packets: unknown[] = [];
    broker.preConnect = (_client, packet, done) => {
      packets.push({ keepalive: packet.keepalive, clean: packet.clean });
      done(null, true);
    };
    await becomes(start(credential), 'connected');
    expect(packets).toEqual([{ keepalive: 60, clean: true }]);
  });

  it('subscribes to 1000 vehicles in several packets', async () => {
    const onSubscribed = vi.fn();
    const live = start(credential, { onSubscribed });
    live.subscribe(Array.from({ length: 1000 }, (_, i) => String(352093081000000 + i)));
    await until(() => expect(onSubscribed).toHaveBeenCalledOnce());
    await publish('352093081000999', 1);
    await until(() => expect(received).toHaveLength(1));
  });

  it('[R8.02] reconnects with a new credential and the same subscriptions when the broker is back', async () => {
    const live = start(credential);
    live.subscribe(IMEIS);
    await becomes(live, 'connected');
    const { port } = new URL(origin);
    password = 'p2';
    await stopBroker();
    await becomes(live, 'waiting');
    await startBroker(Number(port));
    await becomes(live, 'connected');
    expect(new Set(clients).size).toBe(1);
    await until(async () => {
      await publish(IMEIS[1], 5);
      expect(received).toContainEqual(message(IMEIS[1], 5));
    });
  });

  it('a refused credential means signed out, without a retry', async () => {
    const live = start(async () => ({ ...(await credential()), password: 'wrong' }));
    await becomes(live, 'signed-out');
    await new Promise(resolve => setTimeout(resolve, 300));
    expect(live.state).toBe('signed-out');
    expect(clients).toEqual([]);
  });

  it('[R8.03] a failed subscription is logged only', async () => {
    const live = start(credential);
    live.subscribe([IMEIS[0], FOREIGN]);
    await until(() => expect(logged.join()).toContain(`Subscription to device/${FOREIGN}`));
    await publish(IMEIS[0], 6);
    await until(() => expect(received).toEqual([message(IMEIS[0], 6)]));
    expect(live.state).toBe('connected');
  });

  it('[R7.34] publishes an action to user/{imei} with the action as payload', async () => {
    const seen: string[] = [];
    broker.on('publish', (packet, client) => {
      if (client) seen.push(`${packet.topic} ${packet.payload.toString()}`);
    });
    const live = start(credential);
    await becomes(live, 'connected');
    await live.publish(IMEIS[0], 'readStatus');
    expect(seen).toEqual([`user/${IMEIS[0]} readStatus`]);
  });

  it('[R8.04] a callback still pending when the connection ends gets "Connection closed"', async () => {
    broker.authorizePublish = () => {};
    const live = start(credential);
    await becomes(live, 'connected');
    const waiting = expect(live.publish(IMEIS[0], 'readStatus')).rejects.toThrow('Connection closed');
    for (const socket of sockets.clients) socket.terminate();
    await waiting;
  });

  it('[R4.12] disconnect unsubscribes, ends the connection and leaves no client behind', async () => {
    const unsubscribed: string[] = [];
    broker.on('unsubscribe', topics => unsubscribed.push(...topics));
    const live = start(credential);
    live.subscribe(IMEIS);
    await becomes(live, 'connected');
    live.disconnect();
    await becomes(live, 'idle');
    expect(unsubscribed.sort()).toEqual(IMEIS.map(imei => `device/${imei}`).sort());
    await until(() => expect(broker.connectedClients).toBe(0));
    live.connect();
    await becomes(live, 'connected');
  });

  it('a connection that seems up is probed after waking, and stays up if it answers', async () => {
    const live = start(credential);
    await becomes(live, 'connected');
    const pinged = new Promise(resolve => broker.once('ping', resolve));
    live.wake();
    await pinged;
    expect(live.state).toBe('connected');
  });

  it('[R9.05] gives up after 5000 ms on a server that sends nothing, and on a connection that fails its probe', async () => {
    const proven = start(credential);
    await becomes(proven, 'connected');
    const silent = createServer();
    const mute = new WebSocketServer({ server: silent });
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
    const live = start(credential, { origin: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` });
    await until(() => expect(mute.clients.size).toBe(1));
    for (const socket of sockets.clients) socket.pause();
    const before = Date.now();
    proven.wake();
    await becomes(proven, 'waiting');
    await becomes(live, 'waiting');
    expect(Date.now() - before).toBeGreaterThan(4500);
    live.disconnect();
    await until(() => expect(mute.clients.size).toBe(0));
    await new Promise(resolve => silent.close(resolve));
  }, 15_000);

  it('closes a connection at once if it is cancelled while opening', async () => {
    const silent = createServer();
    const mute = new WebSocketServer({ server: silent });
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
    const live = start(credential, { origin: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` });
    await until(() => expect(mute.clients.size).toBe(1));
    expect(live.state).toBe('connecting');
    live.disconnect();
    await becomes(live, 'idle');
    await until(() => expect(mute.clients.size).toBe(0));
    await new Promise(resolve => silent.close(resolve));
  });
});
