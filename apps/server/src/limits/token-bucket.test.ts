import { expect, it } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

it('allows a burst such as a tracker’s stored reports, then the steady rate, and refills', () => {
  const bucket = new TokenBucket({ workAtOnce: 100, workPerSecond: 10 }, 0);
  bucket.spend(99, 0);
  expect(bucket.pauseMs).toBe(0);
  bucket.spend(21, 0);
  expect(bucket.pauseMs).toBeGreaterThanOrEqual(2000);
  bucket.spend(0, 2100);
  expect(bucket.pauseMs).toBe(0);
  bucket.spend(100, 1_000_000);
  expect(bucket.pauseMs).toBeLessThan(10);
});
