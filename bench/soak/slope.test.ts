import { expect, it } from 'vitest';
import { slopeOf } from './slope.ts';

const MINUTE = 60_000;

it('finds a slope and how uncertain it is', () => {
  const line = Array.from({ length: 30 }, (_, n) => ({ ms: n * MINUTE, value: 100 + n / 6 }));
  expect(slopeOf(line).perHour).toBeCloseTo(10);
  expect(slopeOf(line).error).toBeCloseTo(0);
  const noisy = line.map(({ ms }, n) => ({ ms, value: 100 + (n % 2) * 4 }));
  expect(Math.abs(slopeOf(noisy).perHour)).toBeLessThan(slopeOf(noisy).error * 2);
  expect(slopeOf(noisy).error).toBeGreaterThan(1);
});
