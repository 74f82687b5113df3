import { shortestOfFour } from '@milepost/track';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOfFour } from './four-bytes.ts';

describe('[R2.04] numbers of four bytes', () => {
  it('are read as the shortest decimal, however they are found', () => {
    const tenths = fc.integer({ min: -20_000_000, max: 20_000_000 }).map(whole => whole / 1000);
    fc.assert(
      fc.property(fc.oneof(tenths, fc.float({ noNaN: true, noDefaultInfinity: true })), written => {
        const value = Math.fround(written);
        const decimal = decimalOfFour(value);
        expect(decimal + 0).toBe(shortestOfFour(value) + 0);
        expect(Math.fround(decimal)).toBe(value);
      }),
      { numRuns: 2000 },
    );
  });

  it('keep the sign of zero, which the database writes', () => {
    expect(decimalOfFour(-0)).toBe(-0);
  });
});
