import { MESSAGING, type MessagingCredential } from '@milepost/contract';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLiveMessaging, type LiveMessaging } from './live-messaging.ts';
import type { BrokerConnection, ConnectionEvents, ConnectionOptions } from './mqtt-connection.ts';
import type { LiveState } from './transitions.ts';

/**
 * Tests the state machine on a simulated connection, which fails at random as networks do.
 * `live-messaging.broker.test.ts` tests it with a real broker.
 */
class TestConnection implements BrokerConnection {
  static readonly open: TestConnection[] = [];
  static most = 0;
  static readonly all: TestConnection[] = [];
  readonly subscribed = new Set<string>();
  readonly options: ConnectionOptions;
  readonly #events: ConnectionEvents;
  #done: ((error?: Error) => void)[] = [];
  isUp = false;
  isLeaving = false;

  constructor(options: ConnectionOptions, events: ConnectionEvents) {
    this.options = options;
    this.#events = events;
    TestConnection.all.push(this);
    TestConnection.open.push(this);
    TestConnection.most = Math.max(TestConnection.most, TestConnection.open.length);
  }
  static reset(): void {
    TestConnection.open.length = 0;
    TestConnection.all.length = 0;
    TestConnection.most = 0;
  }

  subscribe(topics: readonly string[], done: () => void): void {
    for (const topic of topics) this.subscribed.add(topic);
    done();
  }
  unsubscribe(topics: readonly string[]): void {
    for (const topic of topics) this.subscribed.delete(topic);
  }
  publish(_topic: string, _payload: string, done: (error?: Error) => void): void {
    this.#done.push(done);
  }
  probe(): void {}
  end(): void {
    this.isLeaving = true;
  }
  abort(): void {
    this.isLeaving = true;
  }

  opens(): void {
    if (this.isUp || this.isLeaving || !TestConnection.open.includes(this)) return;
    this.isUp = true;
    this.#events.opened();
  }
  acknowledges(): void {
    for (const done of this.#done.splice(0)) done();
  }
  ends(how: 'closed' | 'refused'): void {
    const index = TestConnection.open.indexOf(this);
    if (index < 0) return;
    TestConnection.open.splice(index, 1);
    this.#events[how]();
  }
  brings(topic: string, message: unknown): void {
    this.#events.message(topic, new TextEncoder().encode(JSON.stringify(message)));
  }
}

const credential: MessagingCredential = { path: '/mqtt', clientIdPrefix: 'u1', userName: 'demo', password: 'p' };
const IMEIS = ['356307042441013', '490154203237518', '352093081452251'] as const;
const topicsOf = (imeis: Iterable<string>) => new Set([...imeis].map(imei => `device/${imei}`));

let ask: () => Promise<MessagingCredential | null>;
let states: LiveState[];
let logged: string[];
let live: LiveMessaging;
const make = (over = {}) =>
  createLiveMessaging({
    origin: 'https://fleet.example',
    getCredential: () => ask(),
    onMessage: () => {},
    onState: state => states.push(state),
    log: what => logged.push(what),
    openConnection: (options, events) => new TestConnection(options, events),
    ...over,
  });
const settle = () => vi.advanceTimersByTimeAsync(0);
const current = () => TestConnection.open.at(-1);

beforeEach(() => {
  vi.useFakeTimers();
  TestConnection.reset();
  ask = async () => credential;
  states = [];
  logged = [];
  live = make();
});
afterEach(() => vi.useRealTimers());

async function connected(): Promise<TestConnection> {
  live.connect();
  await settle();
  current()?.opens();
  return current()!;
}

describe('live messaging', () => {
  it('[R6.02] signs in as user id with its own suffix, user name and the credential of the session', async () => {
    const { options } = await connected();
    expect(options).toMatchObject({ url: 'wss://fleet.example/mqtt', userName: 'demo', password: 'p', clean: true });
    expect(options.clientId).toMatch(/^u1-\w+$/);
    live.disconnect();
    current()?.ends('closed');
    const other = make();
    other.connect();
    await settle();
    expect(current()?.options.clientId).not.toBe(options.clientId);
  });

  it('[R5.02] refuses a session that is not clean without a client id', () => {
    expect(() => make({ clean: false })).toThrow('A session that is not clean needs a client id.');
    expect(() => make({ clean: false, clientIdSuffix: 'desk-1' })).not.toThrow();
  });

  it('[R8.02] reconnects automatically after about 2000 ms, with a new credential each time', async () => {
    let asked = 0;
    ask = async () => ({ ...credential, password: `p${++asked}` });
    const delays: number[] = [];
    await connected();
    for (let i = 0; i < 20; i++) {
      const before = Date.now();
      current()?.ends('closed');
      expect(live.state).toBe('waiting');
      await vi.advanceTimersToNextTimerAsync();
      delays.push(Date.now() - before);
      expect(current()?.options.password).toBe(`p${i + 2}`);
      current()?.opens();
    }
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(MESSAGING.reconnectPeriodMs / 2);
    expect(Math.max(...delays)).toBeLessThanOrEqual(MESSAGING.reconnectPeriodMs * 1.5);
    expect(new Set(delays).size).toBeGreaterThan(10);
  });

  it('repeats the subscriptions on every connection, and reports when they are confirmed', async () => {
    const onSubscribed = vi.fn();
    live = make({ onSubscribed });
    live.subscribe(IMEIS.slice(0, 2));
    const first = await connected();
    expect(first.subscribed).toEqual(topicsOf(IMEIS.slice(0, 2)));
    expect(onSubscribed).toHaveBeenCalledTimes(1);
    live.subscribe([IMEIS[2], IMEIS[2]]);
    live.unsubscribe([IMEIS[0]]);
    expect(first.subscribed).toEqual(topicsOf(IMEIS.slice(1)));
    first.ends('closed');
    await vi.advanceTimersToNextTimerAsync();
    current()?.opens();
    expect(current()?.subscribed).toEqual(topicsOf(IMEIS.slice(1)));
    expect(onSubscribed).toHaveBeenCalledTimes(3);
  });

  it('[R4.12] on disconnect unsubscribes from all device topics, ends the connection and drops all subscriptions', async () => {
    live.subscribe(IMEIS);
    const connection = await connected();
    live.disconnect();
    expect({ left: connection.isLeaving, subscribed: connection.subscribed.size }).toEqual({
      left: true,
      subscribed: 0,
    });
    connection.ends('closed');
    expect(states).toEqual(['authorising', 'connecting', 'connected', 'closing', 'idle']);
    expect((await connected()).subscribed.size).toBe(0);
  });

  it('[R4.13] leaving a live page drops all subscriptions and keeps the connection', async () => {
    const onMessage = vi.fn();
    live = make({ onMessage });
    live.subscribe(IMEIS);
    const connection = await connected();
    live.unsubscribeAll();
    expect(connection.subscribed.size).toBe(0);
    connection.brings(`device/${IMEIS[0]}`, { action: 'vehicleState', imei: IMEIS[0], live: {} });
    expect(onMessage).not.toHaveBeenCalled();
    expect(live.state).toBe('connected');
  });

  it('[R8.04] a connection that closes while callbacks are queued gives them "Connection closed"', async () => {
    const connection = await connected();
    const taken = live.publish(IMEIS[0], 'readStatus');
    connection.acknowledges();
    await expect(taken).resolves.toBeUndefined();
    const queued = [live.publish(IMEIS[0], 'a'), live.publish(IMEIS[1], 'b')].map(one => expect(one).rejects);
    connection.ends('closed');
    for (const one of queued) await one.toThrow('Connection closed');
    await expect(live.publish(IMEIS[0], 'c')).rejects.toThrow('Connection closed');
  });

  it('a refused credential, or none, means signed out: no retries until someone signs in', async () => {
    live.connect();
    await settle();
    current()?.ends('refused');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(live.state).toBe('signed-out');
    expect(TestConnection.all).toHaveLength(1);
    ask = async () => null;
    live.connect();
    await settle();
    expect(live.state).toBe('signed-out');
    ask = async () => credential;
    expect((await connected()).isUp).toBe(true);
  });

  it('a credential that is not available now is requested again later; a request without an answer is given up', async () => {
    ask = () => Promise.reject(new Error('no network'));
    live.connect();
    await settle();
    expect(live.state).toBe('waiting');
    expect(logged).toHaveLength(1);
    ask = () => new Promise(() => {});
    live.wake();
    await settle();
    expect(live.state).toBe('authorising');
    await vi.advanceTimersByTimeAsync(MESSAGING.connectTimeoutMs);
    expect(live.state).toBe('waiting');
  });

  it('passes on messages of subscribed vehicles, ignores positionPacket, and only logs the rest', async () => {
    const onMessage = vi.fn();
    live = make({ onMessage });
    live.subscribe(IMEIS);
    const connection = await connected();
    const topic = `device/${IMEIS[0]}`;
    const state = { action: 'vehicleState', imei: IMEIS[0], live: { motion: 'moving' } };
    connection.brings(topic, state);
    connection.brings(topic, { action: 'positionPacket' });
    connection.brings(topic, { action: 'setGprsIntervalConfirmed' });
    connection.brings(topic, 'nonsense');
    expect(onMessage.mock.calls).toEqual([[state]]);
    expect(logged).toEqual([
      `Live messaging: setGprsIntervalConfirmed on ${topic}`,
      `Live messaging: not a message on ${topic}`,
    ]);
  });

  it('a connection that cannot even be created is retried like any other', async () => {
    live = make({
      openConnection: () => {
        throw new Error('bad address');
      },
    });
    live.connect();
    await settle();
    expect(states).toEqual(['authorising', 'connecting', 'waiting']);
  });
});

describe('for any sequence of events', () => {
  const step = fc.oneof(
    fc.constantFrom('connect', 'disconnect', 'wake', 'opens', 'closed', 'refused', 'acknowledges', 'publish'),
    fc.constantFrom('opens', 'time', 'settle', 'time', 'settle'),
    fc.constantFrom('subscribe', 'unsubscribe', 'unsubscribeAll'),
    fc.constantFrom('ask-ok', 'ask-none', 'ask-fails', 'ask-hangs', 'ask-ok', 'ask-ok'),
  );
  const asks: Record<string, () => Promise<MessagingCredential | null>> = {
    'ask-ok': async () => credential,
    'ask-none': async () => null,
    'ask-fails': () => Promise.reject(new Error('no network')),
    'ask-hangs': () => new Promise(() => {}),
  };

  it('there is never a second connection, subscriptions are repeated, and every callback is called', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.nat(2)), { maxLength: 80 }), async steps => {
        TestConnection.reset();
        ask = async () => credential;
        live = make();
        const wanted = new Set<string>();
        let open = 0;
        const publish = () => {
          open++;
          const answered = () => {
            open--;
          };
          live.publish(IMEIS[0], 'readStatus').then(answered, answered);
        };
        const perform: Record<string, (imei: string) => unknown> = {
          connect: () => live.connect(),
          disconnect: () => {
            wanted.clear();
            live.disconnect();
          },
          wake: () => live.wake(),
          opens: () => current()?.opens(),
          closed: () => current()?.ends('closed'),
          refused: () => current()?.ends('refused'),
          acknowledges: () => current()?.acknowledges(),
          publish,
          time: () => vi.advanceTimersByTimeAsync(4000),
          settle,
          subscribe: imei => {
            wanted.add(imei);
            live.subscribe([imei]);
          },
          unsubscribe: imei => {
            wanted.delete(imei);
            live.unsubscribe([imei]);
          },
          unsubscribeAll: () => {
            wanted.clear();
            live.unsubscribeAll();
          },
        };
        for (const [name, which] of steps) {
          const asking = asks[name];
          if (asking) ask = asking;
          else await perform[name]!(IMEIS[which]!);
          expect(TestConnection.open.length).toBeLessThanOrEqual(1);
          expect(TestConnection.most).toBeLessThanOrEqual(1);
          expect(live.state === 'connected').toBe(current()?.isUp === true && !current()?.isLeaving);
          if (live.state === 'connected') expect(current()?.subscribed).toEqual(topicsOf(wanted));
          if (live.state === 'idle' || live.state === 'signed-out') expect(current()).toBeUndefined();
        }
        // From any state: with a credential and a network it connects when wanted, and becomes idle when not.
        ask = async () => credential;
        live.connect();
        for (let i = 0; i < 4 && live.state !== 'connected'; i++) {
          if (live.state === 'reopening') current()?.ends('closed');
          await vi.advanceTimersByTimeAsync(6000);
          live.connect();
          current()?.opens();
        }
        expect(live.state).toBe('connected');
        expect(current()?.subscribed).toEqual(topicsOf(wanted));
        live.disconnect();
        current()?.ends('closed');
        await settle();
        expect(live.state).toBe('idle');
        expect(vi.getTimerCount()).toBe(0);
        expect(open).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
