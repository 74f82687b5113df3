import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHttpClient } from '../http/http-client.ts';
import { type Connectivity, createConnectivityMonitor } from './connectivity.ts';
import { browserPage } from './page-signals.ts';

type Answer = (signal: AbortSignal | null | undefined) => Promise<Response>;
const ok: Answer = async () => Response.json({ status: 'ok' });
const unreachable: Answer = () => Promise.reject(new TypeError('fetch failed'));
const hanging: Answer = signal =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
const problem = (status: number): Answer => {
  return async () => Response.json({ type: '', title: 'No', status, code: 'no' }, { status });
};
const page =
  (status: number): Answer =>
  async () =>
    new Response('<h1>Hello</h1>', { status });

let answer: Answer;
let checks: number;
let begun: number;
let changes: Connectivity[];
let hidden: boolean;
let network: boolean;
let signal: (() => void) | null;
const monitor = () =>
  createConnectivityMonitor({
    http: createHttpClient({
      baseUrl: 'https://fleet.example',
      getToken: () => null,
      fetch: (_input, init) => {
        checks++;
        return answer(init?.signal);
      },
    }),
    onChange: change => {
      if (change.nextCheckAt === null) begun++;
      else changes.push(change);
    },
    page: {
      isHidden: () => hidden,
      hasNetwork: () => network,
      onChange(callback) {
        signal = callback;
        return () => {
          signal = null;
        };
      },
    },
  });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const statuses = () => changes.map(change => (change.status === 'online' ? 'online' : change.cause));

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  answer = ok;
  checks = 0;
  begun = 0;
  changes = [];
  hidden = false;
  network = true;
  signal = null;
});
afterEach(() => vi.useRealTimers());

describe('connectivity', () => {
  it('[R9.01] checks at once and then every 5000 ms, and reports when each begins and ends', async () => {
    const connectivity = monitor();
    connectivity.start();
    await pass(0);
    expect(checks).toBe(1);
    await pass(4999);
    expect(checks).toBe(1);
    await pass(20_001);
    expect(checks).toBe(6);
    expect(begun).toBe(6);
    expect(changes).toHaveLength(6);
    expect(connectivity.now).toEqual({ status: 'online', lastOkAt: 25_000, nextCheckAt: 30_000 });
    connectivity.stop();
    await pass(60_000);
    expect(checks).toBe(6);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('[R4.14] [R8.01] is offline after any failed check, and online after the next good one', async () => {
    const connectivity = monitor();
    connectivity.start();
    await pass(5000);
    answer = unreachable;
    await pass(10_000);
    answer = ok;
    await pass(5000);
    const offline = { status: 'offline', cause: 'server', since: 10_000, lastOkAt: 5000 };
    expect(changes.slice(2)).toEqual([
      { ...offline, failures: 1, nextCheckAt: 15_000 },
      { ...offline, failures: 2, nextCheckAt: 20_000 },
      { status: 'online', lastOkAt: 20_000, nextCheckAt: 25_000 },
    ]);
    connectivity.stop();
  });

  it('counts a hanging check as failed when the next is due, so an interruption shows within 10 s', async () => {
    const connectivity = monitor();
    connectivity.start();
    await pass(1);
    answer = hanging;
    await pass(10_000);
    expect(connectivity.now).toMatchObject({ status: 'offline', since: 10_000 });
    await pass(5010);
    expect(checks).toBe(4);
    expect(connectivity.now).toMatchObject({ failures: 2 });
    connectivity.stop();
  });

  it('distinguishes no network, server trouble and signed out', async () => {
    const connectivity = monitor();
    for (const next of [unreachable, problem(503), page(502), problem(401), page(403), page(200), page(511)]) {
      answer = next;
      connectivity.checkNow();
      await pass(0);
    }
    expect(statuses()).toEqual(['server', 'server', 'server', 'signed-out', 'signed-out', 'network', 'network']);
    network = false;
    answer = unreachable;
    connectivity.checkNow();
    await pass(0);
    expect(statuses().at(-1)).toBe('network');
    connectivity.stop();
  });

  it('pauses while the page is hidden, and checks at once when the page is shown or the network is back', async () => {
    const connectivity = monitor();
    connectivity.start();
    await pass(0);
    hidden = true;
    signal?.();
    await pass(60_000);
    expect(checks).toBe(1);
    expect(connectivity.now.nextCheckAt).toBeNull();
    hidden = false;
    signal?.();
    await pass(0);
    expect(checks).toBe(2);
    answer = unreachable;
    network = false;
    signal?.();
    await pass(0);
    expect(statuses()).toEqual(['online', 'online', 'network']);
    answer = ok;
    network = true;
    signal?.();
    await pass(0);
    expect(statuses()).toEqual(['online', 'online', 'network', 'online']);
    await pass(5000);
    expect(checks).toBe(5);
    connectivity.stop();
    expect(signal).toBeNull();
  });

  it('never runs two checks at once, and ignores one that was given up', async () => {
    const connectivity = monitor();
    answer = hanging;
    connectivity.start();
    await pass(2000);
    answer = ok;
    connectivity.checkNow();
    await pass(4999);
    expect(checks).toBe(2);
    expect(statuses()).toEqual(['online']);
    connectivity.stop();
  });
});

describe('the page', () => {
  it('counts as visible and has no listeners outside a browser', () => {
    const signals = browserPage({});
    expect([signals.isHidden(), signals.hasNetwork()]).toEqual([false, true]);
    expect(() => signals.onChange(() => {})()).not.toThrow();
  });

  it('listens to visibility, online and offline until stopped', () => {
    const document = Object.assign(new EventTarget(), { visibilityState: 'hidden' });
    const window = Object.assign(new EventTarget(), { document, navigator: { onLine: false } });
    const onSignal = vi.fn();
    const stop = browserPage(window).onChange(onSignal);
    expect([browserPage(window).isHidden(), browserPage(window).hasNetwork()]).toEqual([true, false]);
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('online'));
    window.dispatchEvent(new Event('offline'));
    stop();
    window.dispatchEvent(new Event('online'));
    expect(onSignal).toHaveBeenCalledTimes(3);
  });
});

describe('over a real server', () => {
  it('is online while the server answers 200 and offline when it is gone', async () => {
    vi.useRealTimers();
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const connectivity = createConnectivityMonitor({
      http: createHttpClient({ baseUrl, getToken: () => null }),
      onChange: change => changes.push(change),
    });
    connectivity.start();
    await vi.waitFor(() => expect(connectivity.now.lastOkAt).not.toBeNull(), { timeout: 30_000 });
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
    connectivity.checkNow();
    await vi.waitFor(() => expect(statuses().at(-1)).toBe('server'), { timeout: 30_000 });
    connectivity.stop();
  });
});
