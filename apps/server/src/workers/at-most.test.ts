import { expect, it } from 'vitest';
import { atMost } from './at-most.ts';

it('runs so many works at a time, the others in their order, also after failures', async () => {
  const limited = atMost(2);
  const events: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const begin = (name: string) =>
    limited(async () => {
      events.push(name);
      await new Promise<void>((resolve, reject) => ends.set(name, error => (error ? reject(error) : resolve())));
      return name;
    });
  const all = Promise.allSettled(['a', 'b', 'c', 'd'].map(begin));
  await expect.poll(() => events).toEqual(['a', 'b']);
  ends.get('b')?.(new Error('broken'));
  await expect.poll(() => events).toEqual(['a', 'b', 'c']);
  ends.get('a')?.();
  await expect.poll(() => events).toEqual(['a', 'b', 'c', 'd']);
  ends.get('c')?.();
  ends.get('d')?.();
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  const more = Promise.all([begin('e'), begin('f'), begin('g')]);
  await expect.poll(() => events.slice(4)).toEqual(['e', 'f']);
  ends.get('f')?.();
  await expect.poll(() => events.slice(4)).toEqual(['e', 'f', 'g']);
  for (const end of ends.values()) end();
  expect(await more).toEqual(['e', 'f', 'g']);
});
