import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GroupFeed, REFRESH_MS, RETRY_MS } from './group-feed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const server = { list: 'one', etag: '"1"', fails: false, delayMs: 0 };
  const asked: (string | null)[] = [];
  const told: string[] = [];
  const feed = new GroupFeed<string>({
    read: async etag => {
      asked.push(etag);
      const { list, etag: current, fails } = { ...server };
      if (server.delayMs > 0) await new Promise(resolve => setTimeout(resolve, server.delayMs));
      if (fails) throw new Error('no answer');
      return etag === current ? null : { answer: list, etag: current };
    },
    changed: answer => told.push(answer),
    failed: error => error !== null && told.push('failed'),
  });
  return { server, asked, told, feed };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('folders and departments', () => {
  it('[R4.09] [R9.03] are read at once and then every 60 seconds, only as far as they have changed', async () => {
    expect(REFRESH_MS).toBe(60_000);
    const { server, asked, told, feed } = setUp();
    feed.start();
    await settle();
    await vi.advanceTimersByTimeAsync(2 * REFRESH_MS);
    expect(asked).toEqual([null, '"1"', '"1"']);
    expect(told).toEqual(['one']);
    Object.assign(server, { list: 'two', etag: '"2"' });
    await vi.advanceTimersByTimeAsync(REFRESH_MS);
    expect(told).toEqual(['one', 'two']);
  });

  it('[R4.10] are left alone once the session has ended, and an answer that comes after it is void', async () => {
    const { server, asked, told, feed } = setUp();
    server.delayMs = 1000;
    feed.start();
    feed.stop();
    await vi.advanceTimersByTimeAsync(10 * REFRESH_MS);
    expect(asked).toEqual([null]);
    expect(told).toEqual([]);
  });

  it('the next session starts from nothing', async () => {
    const { asked, told, feed } = setUp();
    feed.start();
    await settle();
    feed.stop();
    feed.start();
    await settle();
    expect(asked).toEqual([null, null]);
    expect(told).toEqual(['one', 'one']);
  });

  it('[R7.32] are read again after a write, also when a read that began before it is under way', async () => {
    const { server, told, feed } = setUp();
    server.delayMs = 1000;
    feed.start();
    await settle();
    Object.assign(server, { list: 'two', etag: '"2"' });
    const done = feed.refresh();
    await vi.advanceTimersByTimeAsync(2000);
    await done;
    expect(told).toEqual(['one', 'two']);
  });

  it('a failed first read is reported and soon retried; later failures keep the list until the next minute', async () => {
    const { server, told, feed } = setUp();
    server.fails = true;
    feed.start();
    await settle();
    expect(told).toEqual(['failed']);
    server.fails = false;
    await vi.advanceTimersByTimeAsync(RETRY_MS);
    expect(told).toEqual(['failed', 'one']);
    server.fails = true;
    await vi.advanceTimersByTimeAsync(REFRESH_MS);
    Object.assign(server, { fails: false, list: 'two', etag: '"2"' });
    await vi.advanceTimersByTimeAsync(RETRY_MS);
    expect(told).toEqual(['failed', 'one', 'failed']);
    await vi.advanceTimersByTimeAsync(REFRESH_MS);
    expect(told).toEqual(['failed', 'one', 'failed', 'two']);
  });
});
