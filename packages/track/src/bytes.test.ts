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
