import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteReader, ByteWriter, DamagedTrack } from './bytes.ts';

const sizes = fc.oneof(fc.nat(127), fc.nat(40_000), fc.nat(2 ** 52));

it('numbers that are gone past end where they would if they were read, wherever they begin', () => {
  fc.assert(
    fc.property(fc.array(sizes, { maxLength: 60 }), fc.nat(60), fc.nat(7), (values, wanted, offset) => {
      const count = Math.min(wanted, values.length);
      const to = new ByteWriter();
      for (let i = 0; i < offset; i++) to.byte(0xff);
      for (const value of values) to.varint(value);
      const bytes = to.finish().subarray(offset);
      const [skips, reads] = [new ByteReader(bytes), new ByteReader(bytes)];
      skips.skipVarints(count);
      for (let i = 0; i < count; i++) reads.varint();
      expect(skips.at).toBe(reads.at);
      expect(() => skips.skipVarints(values.length - count + 1)).toThrow(DamagedTrack);
    }),
  );
});

const steps = fc.oneof(
  { arbitrary: fc.constant(0), weight: 4 },
  fc.nat(100),
  fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
);

it('many numbers at once are those that one by one would be, zeros in a row among them', () => {
  const part = fc.tuple(fc.nat(60), fc.nat(60));
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 60 }), fc.constantFrom(0, 1, 2), part, (values, order, [one, other]) => {
      const [lo, hi] = [Math.min(one, other, values.length), Math.min(Math.max(one, other), values.length)];
      const to = new ByteWriter();
      to.allSigned(values);
      const bytes = to.finish();
      let all: number[] = values;
      for (let nth = 0; nth < order; nth++) {
        let sum = 0;
        all = all.map(value => (sum += value));
      }
      const from = new ByteReader(bytes);
      expect(from.wholes(values.length, order as 0 | 1 | 2, lo, hi)).toEqual(all.slice(lo, hi));
      expect(from.left).toBe(0);
      const short = new ByteReader(bytes.subarray(0, -1));
      if (values.length > 0) expect(() => short.wholes(values.length, 1, 0, values.length)).toThrow(DamagedTrack);
    }),
  );
});
