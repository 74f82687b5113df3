import { expect, it } from 'vitest';
import { expiryOf } from './expiry.ts';

it.each([
  ['2026-11-18', 'ended'],
  ['2026-11-19', 'ending'],
  ['2027-02-17', 'ending'],
  ['2027-02-18', 'fine'],
] as const)('on 19 November, with 90 days of warning, what holds until %s is %s', (expiresOn, expected) => {
  expect(expiryOf(expiresOn, '2026-11-19', 90)).toBe(expected);
});
