import { expect, it } from 'vitest';
import { Seldom } from './seldom.ts';

it('lets each kind through once in a while, and only so many kinds', () => {
  const seldom = new Seldom(1000, 2);
  expect(['a', 'a', 'b', 'c', 'b'].map(kind => seldom.allows(kind, 5000))).toEqual([true, false, true, false, false]);
  expect(['a', 'c', 'd'].map(kind => seldom.allows(kind, 6000))).toEqual([true, true, false]);
});
