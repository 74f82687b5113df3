import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowAt, rowTops, scrollFor, windowOf } from './row-window.ts';

const heights = fc.array(fc.integer({ min: 20, max: 64 }), { minLength: 1, maxLength: 400 });

it('draws every row that is in view, and not many more', () => {
  fc.assert(
    fc.property(heights, fc.nat(30_000), fc.integer({ min: 1, max: 1200 }), (rows, scrolled, height) => {
      const tops = rowTops(rows);
      const total = tops.at(-1) ?? 0;
      const scrollTop = Math.min(scrolled, Math.max(0, total - height));
      const { first, last } = windowOf(tops, scrollTop, height);
      const seen = rows.flatMap((_, i) => {
        const isSeen = (tops[i + 1] ?? 0) > scrollTop && (tops[i] ?? 0) < scrollTop + height;
        return isSeen ? [i] : [];
      });
      for (const i of seen) expect(i >= first && i < last).toBe(true);
      expect(last - first).toBeLessThanOrEqual(seen.length + 18);
    }),
  );
});

it('scrolls a row into view by as little as it takes', () => {
  fc.assert(
    fc.property(
      heights,
      fc.nat(30_000),
      fc.integer({ min: 64, max: 1200 }),
      fc.nat(400),
      (rows, scrollTop, height, at) => {
        const tops = rowTops(rows);
        const index = at % rows.length;
        const to = scrollFor(tops, index, scrollTop, height) ?? scrollTop;
        expect(tops[index]).toBeGreaterThanOrEqual(to);
        expect(tops[index + 1]).toBeLessThanOrEqual(to + height);
      },
    ),
  );
});

it('knows the row at a height', () => {
  const tops = rowTops([34, 46, 46]);
  expect([0, 33, 34, 79, 80, 500].map(y => rowAt(tops, y))).toEqual([0, 0, 1, 1, 2, 2]);
  expect(windowOf(rowTops([]), 0, 500)).toEqual({ first: 0, last: 0 });
});
