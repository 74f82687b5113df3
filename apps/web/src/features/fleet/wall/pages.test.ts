import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageOf } from './pages.ts';

it('shows every vehicle once in a round, and goes on after the last', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat()), fc.integer({ min: 1, max: 9 }), fc.nat({ max: 50 }), (list, size, round) => {
      const { pages } = pageOf(list, 0, size);
      const turns = Array.from({ length: pages }, (_, page) => pageOf(list, round * pages + page, size));
      expect(turns.flatMap(({ items }) => items)).toEqual(list);
      expect(turns.map(({ page }) => page)).toEqual(turns.map((_, page) => page));
    }),
  );
});
