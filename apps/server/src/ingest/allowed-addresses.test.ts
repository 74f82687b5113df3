import { expect, it } from 'vitest';
import { isAllowedAddress } from './allowed-addresses.ts';

it('takes every address where none is named', () => {
  expect(isAllowedAddress([], '203.0.113.7')).toBe(true);
  expect(isAllowedAddress([], null)).toBe(true);
});

it.each([
  [['203.0.113.7'], '203.0.113.7', true],
  [['203.0.113.7'], '203.0.113.8', false],
  [['203.0.113.0/24', '198.51.100.9'], '203.0.113.255', true],
  [['203.0.113.0/24', '198.51.100.9'], '198.51.100.9', true],
  [['203.0.113.0/24'], '203.0.114.0', false],
  // A listener for both families names IPv4 addresses this way.
  [['203.0.113.0/24'], '::ffff:203.0.113.7', true],
  [['203.0.113.0/24'], '::ffff:203.0.114.7', false],
  [['2001:db8::/32'], '2001:db8:1::7', true],
  [['2001:db8::/32'], '2001:db9::7', false],
  [['2001:db8::7'], '2001:0db8:0:0:0:0:0:7', true],
  // Nobody knows where it comes from.
  [['203.0.113.0/24'], null, false],
  [['203.0.113.0/24'], 'nowhere', false],
])('of %j, %s: %s', (ranges, address, allowed) => {
  expect(isAllowedAddress(ranges, address)).toBe(allowed);
});
