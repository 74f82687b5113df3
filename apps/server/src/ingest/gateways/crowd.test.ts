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

it('counts an IPv6 site as one address, and a mapped IPv4 address as itself', () => {
  const crowd = new Crowd({ unnamedConnections: 100, unnamedOfOneAddress: 1 });
  const enter = (address: string) => crowd.enter(address) !== null;
  expect(['2001:db8::1', '2001:db8::2', '2001:db8:1::1', '10.0.0.1', '::ffff:10.0.0.1'].map(enter)).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
});
