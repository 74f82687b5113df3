import { expect, it } from 'vitest';
import { LIMITS } from './limits.ts';
import { WorkAllowance } from './work-allowance.ts';

it('lets a memory be read out at once, then holds to the steady rate, and fills up again', () => {
  const allowance = new WorkAllowance({ ...LIMITS, workAtOnce: 100, workPerSecond: 10 }, 0);
  allowance.spend(99, 0);
  expect(allowance.pauseMs).toBe(0);
  allowance.spend(21, 0);
  expect(allowance.pauseMs).toBeGreaterThanOrEqual(2000);
  allowance.spend(0, 2100);
  expect(allowance.pauseMs).toBe(0);
  allowance.spend(100, 1_000_000);
  expect(allowance.pauseMs).toBeLessThan(10);
});
