import { expect, it } from 'vitest';
import { IN_MEMORY } from '../db/counters.ts';
import { addressKey, createRequestLimits } from './rate-limit.ts';

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('counts %s as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

it('limits callers who are not signed in by address, and says how long to wait', async () => {
  const limits = createRequestLimits(IN_MEMORY);
  for (let i = 0; i < 600; i++) await limits.anonymous('203.0.113.9');
  await expect(limits.anonymous('203.0.113.9')).rejects.toMatchObject({
    code: 'too-many-requests',
    status: 429,
    message: 'Too many requests. Try again in 1 minute.',
    retryAfterS: 60,
  });
  await expect(limits.anonymous('203.0.113.10')).resolves.toBeUndefined();
});
