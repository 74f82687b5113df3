import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inflate } from './inflate.ts';

const MOST = 100_000;

describe('inflate', () => {
  it('reverses every way of compressing', () => {
    const text = fc.array(fc.constantFrom('150126;083005;', 'NA;', '|', '4152.68678', 'é', '\0'), { maxLength: 400 });
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 3000 }),
      text.map(words => new TextEncoder().encode(words.join(''))),
    );
    fc.assert(
      fc.property(content, fc.integer({ min: 0, max: 9 }), fc.nat(4), (bytes, level, strategy) => {
        const packed = Uint8Array.from(deflateSync(bytes, { level, strategy }));
        expect(inflate(packed, MOST)).toEqual(bytes);
        expect(inflate(packed, bytes.length - 1 < 0 ? 0 : bytes.length - 1)).toEqual(bytes.length === 0 ? bytes : null);
      }),
    );
  });

  it('[I3] answers for any bytes, and for damaged ones', () => {
    const content = new TextEncoder().encode('150126;083005;4152.68678;N;08737.78872;W'.repeat(20));
    const packed = Uint8Array.from(deflateSync(content));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(packed.length - 1), fc.nat(255), (bytes, at, byte) => {
        expect(inflate(Uint8Array.of(0x78, 0x9c, ...bytes), MOST)?.length ?? 0).toBeLessThanOrEqual(MOST);
        const damaged = packed.with(at, byte);
        // A damaged bit may be one that nothing depends on.
        expect([null, content]).toContainEqual(inflate(damaged, MOST));
        expect(inflate(packed.subarray(0, at), MOST)).toBeNull();
      }),
    );
  });
});
