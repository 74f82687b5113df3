import pino from 'pino';
import { expect, it } from 'vitest';
import { createStops } from './stops.ts';

const silent = pino({ level: 'silent' });

it('stops parts once, one at a time, in reverse order', async () => {
  const ended: string[] = [];
  const stops = createStops(silent);
  stops.add('first', () => void ended.push('first'));
  stops.add('second', async () => {
    await new Promise(resolve => setTimeout(resolve, 5));
    ended.push('second');
  });
  await Promise.all([stops.run(), stops.run()]);
  expect(ended).toEqual(['second', 'first']);
});

it('continues after a part that fails and one that hangs', async () => {
  const ended: string[] = [];
  const stops = createStops(silent, 20);
  stops.add('first', () => void ended.push('first'));
  stops.add('fails', () => Promise.reject(new Error('no')));
  stops.add('hangs', () => new Promise<void>(() => {}));
  await stops.run();
  expect(ended).toEqual(['first']);
});
