import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDeeperThan } from './bodies.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

it('finds how deep JSON is nested, whatever its strings contain', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), fc.integer({ min: 0, max: 7 }), (value, depth) => {
      expect(isDeeperThan(JSON.stringify(value), depth)).toBe(depthOf(value) > depth);
    }),
  );
  expect(isDeeperThan(JSON.stringify({ '[{"\\': '[[[[{{{{\\"[[[' }), 1)).toBe(false);
});

it('survives invalid JSON', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), text => typeof isDeeperThan(text, 3) === 'boolean'));
  expect(isDeeperThan('['.repeat(100_000), 64)).toBe(true);
  expect(isDeeperThan(`"${'['.repeat(100_000)}`, 64)).toBe(false);
});
