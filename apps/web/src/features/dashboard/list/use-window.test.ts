import fc from 'fast-check';
import { expect, it } from 'vitest';
import { windowOf } from './use-window.ts';

it('draws the rows in view and a few more', () => {
  expect(windowOf(0, 460, 5000, 46)).toEqual({ first: 0, last: 18 });
  expect(windowOf(46_000, 460, 5000, 46)).toEqual({ first: 992, last: 1018 });
  expect(windowOf(0, 460, 4, 46)).toEqual({ first: 0, last: 4 });
});

it('draws every row that is in view, and never more than the screen asks for', () => {
  const list = fc.record({ top: fc.nat(300_000), height: fc.nat(3000), count: fc.nat(6000) });
  fc.assert(
    fc.property(list, ({ top, height, count }) => {
      const rowPx = 46;
      const { first, last } = windowOf(top, height, count, rowPx);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(last).toBeLessThanOrEqual(count);
      expect(last - first).toBeLessThanOrEqual(Math.ceil(height / rowPx) + 18);
      for (let row = 0; row < count; row++) {
        const isSeen = (row + 1) * rowPx > top && row * rowPx < top + height;
        if (isSeen) expect(row >= first && row < last).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});
