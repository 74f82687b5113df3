import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ringOf } from './cluster-image.ts';

const counts = fc
  .array(fc.integer({ min: 0, max: 5000 }), { minLength: 8, maxLength: 8 })
  .filter(list => list.some(count => count > 0));

it('a ring is whole, and shows every status that is there and no other', () => {
  fc.assert(
    fc.property(counts, list => {
      const { parts } = ringOf(list);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(24);
      expect(parts.map(part => part > 0)).toEqual(list.map(count => count > 0));
    }),
  );
});

it('a ring grows with its vehicles', () => {
  expect([4, 5, 49, 50].map(count => ringOf([count, 0, 0, 0, 0, 0, 0, 0]).radius)).toEqual([16, 19, 19, 24]);
});
