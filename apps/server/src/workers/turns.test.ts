import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inTurns, mapInTurns, turn } from './turns.ts';

/** Works for about this many milliseconds. */
const busy = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
  return ms;
};

it('map like a list does, whatever its length', async () => {
  for (const length of [0, 1, 16, 17, 33, 1000]) {
    const items = Array.from({ length }, (_, i) => i);
    expect(await mapInTurns(items, i => i * 2)).toEqual(items.map(i => i * 2));
  }
  await expect(
    mapInTurns([1], () => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
});

it('come one at a time, in order, with the event loop between them', async () => {
  const order: string[] = [];
  let loops = 0;
  const loopsAt: number[] = [];
  const take = async (name: string) => {
    await turn();
    order.push(name);
    loopsAt.push(loops);
  };
  const all = Promise.all(['a', 'b', 'c', 'd'].map(take));
  for (; loops < 10; loops++) await setImmediate();
  await all;
  expect(order).toEqual(['a', 'b', 'c', 'd']);
  expect(new Set(loopsAt).size).toBe(4);
});

it('leave the thread to others, however much long work there is', async () => {
  let others = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; others++) await setImmediate();
  })();
  await Promise.all(Array.from({ length: 10 }, () => mapInTurns(Array(64).fill(0.5), busy)));
  isDone = true;
  await counting;
  // 320 ms of work, a few ms at a time.
  expect(others).toBeGreaterThan(30);
});

it('run thousands of small pieces in order, a few milliseconds at a time', async () => {
  const done: number[] = [];
  for (let i = 0; i < 40; i++) {
    inTurns(() => {
      busy(0.5);
      done.push(i);
    });
  }
  expect(done).toEqual([]);
  const seen: number[] = [];
  while (done.length < 40) {
    await setImmediate();
    seen.push(done.length);
  }
  expect(done).toEqual(Array.from({ length: 40 }, (_, i) => i));
  expect(new Set(seen).size).toBeGreaterThan(1);
});
