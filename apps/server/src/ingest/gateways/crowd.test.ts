import { expect, it } from 'vitest';
import { Crowd } from './crowd.ts';
import { LIMITS } from './limits.ts';

it('takes so many altogether and so many of one address, and others when they have left', () => {
  const crowd = new Crowd({ ...LIMITS, unnamedConnections: 3, unnamedOfOneAddress: 2 });
  const leave = crowd.enter('a');
  expect([crowd.enter('a'), crowd.enter('a'), crowd.enter('b'), crowd.enter('c')].map(Boolean)).toEqual([
    true,
    false,
    true,
    false,
  ]);
  leave?.();
  leave?.();
  expect([crowd.enter('c'), crowd.enter('c')].map(Boolean)).toEqual([true, false]);
});
