import { expect, it } from 'vitest';
import { sendAll } from './send-all.ts';

const never = new AbortController().signal;
const vehicles = (count: number) => Array.from({ length: count }, (_, at) => at);

it('the first goes alone, the others a few at a time, and a failure is its own', async () => {
  let under = 0;
  let most = 0;
  let duringFirst = 0;
  const sent: number[] = [];
  const failed: number[] = [];
  const left = await sendAll({
    items: vehicles(40),
    signal: never,
    concernsAll: () => false,
    onFailure: item => failed.push(item),
    send: async item => {
      under++;
      most = Math.max(most, under);
      await Promise.resolve();
      if (item === 0) duringFirst = under;
      under--;
      if (item % 10 === 3) throw new Error('moving');
      sent.push(item);
    },
  });
  expect(left).toEqual([]);
  expect(duringFirst).toBe(1);
  expect(most).toBe(4);
  expect(failed).toEqual([3, 13, 23, 33]);
  expect(sent).toHaveLength(36);
});

it('a wrong password is tried once', async () => {
  let tries = 0;
  const run = sendAll({
    items: vehicles(5),
    signal: never,
    concernsAll: () => true,
    onFailure: () => {},
    send: async () => {
      tries++;
      throw new Error('wrong');
    },
  });
  await expect(run).rejects.toThrow('wrong');
  expect(tries).toBe(1);
});

it('stopped, it says who was never asked', async () => {
  const controller = new AbortController();
  const left = await sendAll({
    items: vehicles(100),
    signal: controller.signal,
    concernsAll: () => false,
    onFailure: () => {},
    send: async item => {
      if (item === 10) controller.abort();
    },
  });
  expect(left.length).toBeGreaterThan(80);
});
