import { expect, it } from 'vitest';
import { LIMITS } from './limits.ts';
import { TokenBucket } from './token-bucket.ts';

it('lets a memory be read out at once, then holds to the steady rate, and fills up again', () => {
  const bucket = new TokenBucket({ ...LIMITS, workAtOnce: 100, workPerSecond: 10 }, 0);
  bucket.spend(99, 0);
  expect(bucket.pauseMs).toBe(0);
  bucket.spend(21, 0);
  expect(bucket.pauseMs).toBeGreaterThanOrEqual(2000);
  bucket.spend(0, 2100);
  expect(bucket.pauseMs).toBe(0);
  bucket.spend(100, 1_000_000);
  expect(bucket.pauseMs).toBeLessThan(10);
});
