import fc from 'fast-check';
import { expect, it } from 'vitest';
import { recordsByHead } from './records-by-head.ts';

/** Heads of 0x01 and the number of bytes behind them, which may be wrong. */
const HEAD_BYTES = 2;

it('[I3] reads each byte a few times at most, whatever is in them', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, 1, 2, 9, 255), { maxLength: 2000 }), bytes => {
      const limit = bytes.length;
      let work = 0;
      const { records, starts } = recordsByHead<number>({
        from: 0,
        limit,
        most: limit,
        headBytes: HEAD_BYTES,
        whole: (at, end) => {
          const next = at + HEAD_BYTES + (bytes[at + 1] ?? 0);
          work += Math.min(next, end) - at;
          return next > end ? null : { record: at, next };
        },
        bare: at => at,
        headAt: (at, first) => {
          work += HEAD_BYTES;
          return bytes[at] === (first === null ? 2 : 1) ? at % 7 : null;
        },
      });
      expect(work).toBeLessThanOrEqual(12 * limit + HEAD_BYTES);
      expect(starts).toEqual(records);
      expect(starts).toEqual([...new Set(starts)].sort((one, other) => one - other));
    }),
  );
});
