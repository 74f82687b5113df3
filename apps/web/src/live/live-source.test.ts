import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveSource } from './live-source.ts';
import type { PositionSink } from './source.ts';
import { report, vehicle } from './testing/fleet.ts';

const A = '356307042441013';
const B = '356307042441021';

const visibility = new EventTarget();
let hidden = false;

beforeEach(() => {
  vi.useFakeTimers();
  hidden = false;
  vi.stubGlobal('document', {
    get hidden() {
      return hidden;
    },
    addEventListener: visibility.addEventListener.bind(visibility),
    removeEventListener: visibility.removeEventListener.bind(visibility),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function setUp() {
  const wanted = new Set<string>();
  const told: string[] = [];
  const server = { vehicles: [vehicle(A), vehicle(B)], reads: 0, fails: false };
  const source = new LiveSource({
    topics: {
      subscribe: imeis => {
        for (const imei of imeis) wanted.add(imei);
      },
      unsubscribe: imeis => {
        for (const imei of imeis) wanted.delete(imei);
      },
      unsubscribeAll: () => wanted.clear(),
      wake: () => told.push('wake'),
    },
    readVehicles: async () => server.vehicles,
    readLatest: async () => {
      server.reads++;
      if (server.fails) throw new Error('no answer');
      return [report(A, Date.now())];
    },
    report: error => told.push(error === null ? 'read' : 'failed'),
  });
  const sink: PositionSink = {
    vehicles: list => told.push(`vehicles ${list.length}`),
    snapshot: () => told.push('snapshot'),
    batch: () => told.push('batch'),
    disconnected: () => told.push('disconnected'),
  };
  return { source, sink, wanted, told, server };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('LiveSource', () => {
  it('reads the list, subscribes, and reads the newest positions once the subscriptions stand', async () => {
    const { source, sink, wanted, told } = setUp();
    source.open(sink);
    await settle();
    expect(told).toEqual(['vehicles 2']);
    expect([...wanted]).toEqual([A, B]);
    source.phase('connected');
    source.subscribed();
    await settle();
    expect(told).toEqual(['vehicles 2', 'snapshot', 'read']);
  });

  it('does not wait for ever for live messaging', async () => {
    const { source, sink, told } = setUp();
    source.open(sink);
    await vi.advanceTimersByTimeAsync(1500);
    expect(told).toEqual(['vehicles 2', 'snapshot', 'read']);
  });

  it('asks every 15 seconds while live messaging is away, and after each reconnection', async () => {
    const { source, sink, server, told } = setUp();
    source.open(sink);
    await settle();
    source.phase('connected');
    source.subscribed();
    await settle();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.reads).toBe(1);
    source.phase('connecting');
    expect(told.at(-1)).toBe('disconnected');
    await vi.advanceTimersByTimeAsync(31_000);
    expect(server.reads).toBe(3);
    source.phase('connected');
    source.subscribed();
    await settle();
    expect(server.reads).toBe(4);
  });

  it('[R4.13] wants no topic any more once it is closed, and delivers nothing', async () => {
    const { source, sink, wanted, told } = setUp();
    const close = source.open(sink);
    close();
    await vi.advanceTimersByTimeAsync(60_000);
    source.batch({ reports: [], states: [] });
    expect(wanted.size).toBe(0);
    expect(told).toEqual([]);
  });

  it('catches up when a hidden tab is seen again', async () => {
    const { source, sink, server, told } = setUp();
    source.open(sink);
    await settle();
    source.phase('connected');
    source.subscribed();
    await settle();
    hidden = true;
    visibility.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.reads).toBe(1);
    hidden = false;
    visibility.dispatchEvent(new Event('visibilitychange'));
    await settle();
    expect(told).toContain('wake');
    expect(server.reads).toBe(2);
  });

  it('follows the list: new vehicles are subscribed, vanished ones are not any more', async () => {
    const { source, sink, wanted, server } = setUp();
    source.open(sink);
    await vi.advanceTimersByTimeAsync(1500);
    server.vehicles = [vehicle(B)];
    await vi.advanceTimersByTimeAsync(15_000);
    expect([...wanted]).toEqual([B]);
  });

  it('reads the list at once when a vehicle was changed here, even if it has just been read', async () => {
    const { source, sink, wanted, server } = setUp();
    source.open(sink);
    await settle();
    server.vehicles = [vehicle(B)];
    source.vehiclesChanged();
    await settle();
    expect([...wanted]).toEqual([B]);
  });

  it('says when reading failed, and tries again', async () => {
    const { source, sink, server, told } = setUp();
    server.fails = true;
    source.open(sink);
    await vi.advanceTimersByTimeAsync(1500);
    expect(told.at(-1)).toBe('failed');
    server.fails = false;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(told.at(-1)).toBe('read');
  });
});
