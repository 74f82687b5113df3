import { expect, it } from 'vitest';
import { ConnectionLimiter } from './connection-limiter.ts';

it('limits connections in total and per address, and accepts new ones when others close', () => {
  const limiter = new ConnectionLimiter({ unidentified: 3, unidentifiedPerAddress: 2 });
  const leave = limiter.enter('a');
  expect([limiter.enter('a'), limiter.enter('a'), limiter.enter('b'), limiter.enter('c')].map(Boolean)).toEqual([
    true,
    false,
    true,
    false,
  ]);
  leave?.();
  leave?.();
  expect([limiter.enter('c'), limiter.enter('c')].map(Boolean)).toEqual([true, false]);
});

it('counts an IPv6 site as one address, and a mapped IPv4 address as itself', () => {
  const limiter = new ConnectionLimiter({ unidentified: 100, unidentifiedPerAddress: 1 });
  const enter = (address: string) => limiter.enter(address) !== null;
  expect(['2001:db8::1', '2001:db8::2', '2001:db8:1::1', '10.0.0.1', '::ffff:10.0.0.1'].map(enter)).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
});
