import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { findNats, type NatsProcess, startNats, WHY_NO_NATS } from '../../testing/nats.ts';
import type { Bus } from './bus.ts';
import { LocalBus } from './local-bus.ts';
import { createBusMetrics } from './metrics.ts';
import { NatsBus } from './nats-bus.ts';

const log = pino({ level: 'silent' });
const open: Bus[] = [];
afterEach(async () => {
  for (const bus of open.splice(0)) await bus.stop();
});

const ofOneNode = (): Bus => new LocalBus(log);

describe('on one node', () => {
  it('delivers within the call, by subject and by pattern', () => {
    const bus = ofOneNode();
    const heard: string[] = [];
    bus.listen('live.7', (payload, from) => heard.push(`exact ${payload} ${from === bus.nodeId}`));
    const leave = bus.listen('live.*', payload => heard.push(`pattern ${payload}`));
    bus.publish('live.7', 'a');
    bus.publish('live.8', 'b');
    bus.publish('live.8.more', 'c');
    bus.publish('lives8', 'd');
    leave();
    bus.publish('live.8', 'e');
    expect(heard).toEqual(['exact a true', 'pattern a', 'pattern b']);
  });

  it('goes on when a listener fails', () => {
    const bus = ofOneNode();
    const heard: string[] = [];
    bus.listen('x', () => {
      throw new Error('no');
    });
    bus.listen('x', payload => heard.push(payload));
    bus.publish('x', 'a');
    expect(heard).toEqual(['a']);
  });

  it('asks who serves a subject, and says when nobody does', async () => {
    const bus = ofOneNode();
    const end = bus.serve('sum', payload => `${Number(payload) + 1}`);
    bus.serve('refuses', () => Promise.reject(new Error('Not today')));
    expect(await bus.request('sum', '1', 100)).toEqual({ kind: 'answer', payload: '2' });
    expect(await bus.request('refuses', '', 100)).toEqual({ kind: 'failed', reason: 'Not today' });
    end();
    expect(await bus.request('sum', '1', 100)).toEqual({ kind: 'nobody' });
    expect(bus.trouble()).toBeUndefined();
  });
});

describe.skipIf(!findNats())(`on several nodes${findNats() ? '' : ` (${WHY_NO_NATS})`}`, () => {
  let nats: NatsProcess | null = null;
  afterAll(() => nats?.stop());

  const node = async (
    installation = 'test',
    through?: string,
  ): Promise<Bus & { readonly dropped: () => Promise<number> }> => {
    nats ??= await startNats();
    const metrics = createBusMetrics(new Registry());
    const bus = new NatsBus({ url: through ?? nats.url, installation, log, metrics });
    open.push(bus);
    return Object.assign(bus, { dropped: async () => (await metrics.dropped.get()).values[0]?.value ?? 0 });
  };
  const isHere = (bus: Bus) => expect.poll(() => bus.trouble()).toBeNull();
  /** A listener counts from when NATS knows it; its answer to a request says that it does. */
  const knows = async (asking: Bus, serving: Bus): Promise<void> => {
    serving.serve('ready', () => 'yes');
    await expect.poll(async () => (await asking.request('ready', '', 1000)).kind).toBe('answer');
  };

  it('tells the others that they missed what a node could not publish while it alone was cut off', async () => {
    const a = await node();
    await isHere(a);
    const sockets: Socket[] = [];
    const cable = createServer(socket => {
      const to = connect(Number(new URL(nats?.url ?? '').port), '127.0.0.1');
      sockets.push(socket, to);
      for (const end of [socket, to]) end.on('error', () => {});
      socket.pipe(to).pipe(socket);
    });
    await new Promise<void>(resolve => cable.listen(0, '127.0.0.1', resolve));
    const { port } = cable.address() as AddressInfo;
    const cutOff = await node('test', `nats://127.0.0.1:${port}`);
    await knows(a, cutOff);
    let returns = 0;
    a.onReturn(() => void returns++);
    const closed = new Promise(resolve => cable.close(resolve));
    for (const socket of sockets.splice(0)) socket.destroy();
    await closed;
    await expect.poll(() => cutOff.trouble()).toContain('not been reachable');
    cutOff.publish('x', 'lost');
    expect(returns).toBe(0);
    await new Promise<void>(resolve => cable.listen(port, '127.0.0.1', resolve));
    await expect.poll(() => returns, { timeout: 20_000 }).toBe(1);
    cable.close();
  });

  it('tells every node of an installation once, in order, and no other installation', async () => {
    const [a, b, other] = [await node(), await node(), await node('another')];
    const heard: string[] = [];
    const none: string[] = [];
    a.listen('live.*', (payload, from) => heard.push(`a ${payload} ${from === a.nodeId}`));
    b.listen('live.*', (payload, from) => heard.push(`b ${payload} ${from === a.nodeId}`));
    other.listen('live.*', payload => none.push(payload));
    for (const each of [a, b, other]) await isHere(each);
    await knows(a, b);
    for (let n = 0; n < 3; n++) a.publish('live.1', `${n}`);
    await expect.poll(() => heard.length).toBe(6);
    expect(heard).toEqual(['a 0 true', 'a 1 true', 'a 2 true', 'b 0 true', 'b 1 true', 'b 2 true']);
    expect(none).toEqual([]);
  });

  it('asks the node that serves a subject: an answer, a refusal, nobody, or silence', async () => {
    const [a, b] = [await node(), await node()];
    let asked = 0;
    const end = b.serve('tracker.1', payload => `${payload}, ${++asked}`);
    b.serve('tracker.2', () => {
      throw new Error('Two\nlines');
    });
    b.serve('tracker.3', () => new Promise(() => {}));
    await isHere(a);
    await knows(a, b);
    expect(await a.request('tracker.1', 'stop', 5000)).toEqual({ kind: 'answer', payload: 'stop, 1' });
    expect(await a.request('tracker.2', '', 5000)).toEqual({ kind: 'failed', reason: 'Two lines' });
    expect(await a.request('tracker.3', '', 200)).toEqual({ kind: 'silence' });
    expect(await a.request('tracker.4', '', 5000)).toEqual({ kind: 'nobody' });
    end();
    await expect.poll(async () => (await a.request('tracker.1', '', 5000)).kind).toBe('nobody');
    expect(asked).toBe(1);
  });

  it('goes on alone while the bus is away, and says when it is back', async () => {
    const [a, b] = [await node(), await node()];
    const [heardA, heardB]: string[][] = [[], []];
    a.listen('live.1', payload => heardA?.push(payload));
    b.listen('live.1', payload => heardB?.push(payload));
    for (const each of [a, b]) await isHere(each);
    await knows(a, b);
    let returns = 0;
    b.onReturn(() => returns++);
    nats?.kill();
    await expect.poll(() => a.trouble()).toContain('live bus');
    await expect.poll(() => b.trouble()).toContain('live bus');
    for (let n = 0; n < 1000; n++) a.publish('live.1', `away ${n}`);
    expect(heardA).toHaveLength(1000);
    expect(await a.dropped()).toBe(1000);
    expect(await a.request('ready', '', 5000)).toEqual({ kind: 'nobody' });
    await nats?.restart();
    for (const each of [a, b]) await isHere(each);
    await knows(a, b);
    expect(returns).toBeGreaterThan(0);
    a.publish('live.1', 'back');
    await expect.poll(() => heardB).toEqual(['back']);
  });

  it('starts while the bus is away', async () => {
    const far = await startNats();
    far.kill();
    const metrics = createBusMetrics(new Registry());
    const bus = new NatsBus({ url: far.url, installation: 'test', log, metrics });
    open.push(bus);
    const heard: string[] = [];
    bus.listen('live.1', payload => heard.push(payload));
    bus.publish('live.1', 'alone');
    expect(heard).toEqual(['alone']);
    expect(bus.trouble()).toContain('live bus');
    await far.restart();
    await isHere(bus);
    await bus.stop();
    await far.stop();
  });

  it('drops what a bus that does not read would make it keep', async () => {
    const stuck = await startNats();
    const metrics = createBusMetrics(new Registry());
    const bus = new NatsBus({ url: stuck.url, installation: 'test', log, metrics });
    open.push(bus);
    await isHere(bus);
    stuck.freeze();
    const large = 'x'.repeat(64 * 1024);
    for (let n = 0; n < 1000; n++) bus.publish('live.1', large);
    const published = (await metrics.published.get()).values[0]?.value ?? 0;
    expect(published * large.length).toBeLessThan(9 * 1024 * 1024);
    expect((await metrics.dropped.get()).values[0]?.value).toBe(1000 - published);
    await stuck.stop();
  });
});
