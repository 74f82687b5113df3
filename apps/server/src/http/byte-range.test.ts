import fc from 'fast-check';
import { expect, it } from 'vitest';
import { byteRange } from './byte-range.ts';

it.each([
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=-5', { start: 95, end: 99 }],
  ['bytes=-500', { start: 0, end: 99 }],
  ['bytes=50-5000', { start: 50, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=9-3', 'whole'],
  ['bytes=0-1,5-6', 'whole'],
  ['lines=0-1', 'whole'],
  ['bytes=-', 'whole'],
  [undefined, 'whole'],
])('reads %s of 100 bytes (RFC 9110 section 14.1.2)', (header, range) => {
  expect(byteRange(header, 100)).toEqual(range);
});

it('never returns a byte outside the file', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.option(fc.nat(), { nil: undefined }), (noise, size, last) => {
      for (const header of [noise, `bytes=${noise}`, `bytes=${noise.length}-${last ?? ''}`]) {
        const range = byteRange(header, size);
        if (typeof range === 'string') continue;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThan(size);
      }
    }),
  );
});
