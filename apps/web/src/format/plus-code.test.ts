import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plusCode } from './plus-code.ts';

it.each([
  [20.3700625, 2.7821875, '7FG49QCJ+2V'],
  [47.0000625, 8.0000625, '8FVC2222+22'],
  [-41.2730625, 174.7859375, '4VCPPQGP+Q9'],
  [41.8781, -87.6298, '86HJV9HC+63'],
  [90, 1, 'CFX3X2X2+X2'],
  [1, 180, '62H22222+22'],
])('%f, %f is %s', (lat, lon, code) => {
  expect(plusCode(lat, lon)).toBe(code);
});

it('names a cell that the place is in', () => {
  const degrees = (most: number) =>
    fc.integer({ min: -most * 1e6, max: most * 1e6 }).map(millionths => millionths / 1e6);
  const place = { lat: degrees(89), lon: degrees(180) };
  fc.assert(
    fc.property(fc.record(place), ({ lat, lon }) => {
      const code = plusCode(lat, lon);
      expect(code).toMatch(/^[23456789CFGHJMPQRVWX]{8}\+[23456789CFGHJMPQRVWX]{2}$/);
      // The middle of a cell has the same code as the whole cell.
      const middle = (degrees: number) => (Math.floor(degrees * 8000) + 0.5) / 8000;
      expect(plusCode(middle(lat), middle(lon))).toBe(code);
    }),
  );
});
