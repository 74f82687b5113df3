import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { oneByOne } from './one-by-one.ts';

it('runs one key’s work in order, one at a time, even after failures; other keys do not wait', async () => {
  const queue = oneByOne<string>();
  const events: string[] = [];
  let held = () => {};
  const hold = new Promise<void>(resolve => {
    held = resolve;
  });
  const work = (name: string, wait: Promise<unknown>) => async () => {
    events.push(`${name} begins`);
    await wait;
    events.push(`${name} ends`);
    return name;
  };
  const first = queue('a', work('first', hold));
  const second = queue('a', async () => {
    events.push('second fails');
    throw new Error('broken');
  });
  const third = queue('a', work('third', sleep(1)));
  const answers = Promise.allSettled([first, second, third]);
  expect(await queue('b', work('other', sleep(1)))).toBe('other');
  expect(events).toEqual(['first begins', 'other begins', 'other ends']);
  held();
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(events.slice(3)).toEqual(['first ends', 'second fails', 'third begins', 'third ends']);
  expect(await queue('a', work('later', sleep(1)))).toBe('later');
});
