import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeIn } from './place-fields.ts';

describe('a place among text fields', () => {
  const angle = (most: number) => fc.integer({ min: -most * 1000 + 1, max: most * 1000 - 1 }).map(n => n / 1000);
  const place = fc.record({ lat: angle(90), lon: angle(180), decimals: fc.integer({ min: 3, max: 15 }) });
  const sides = (lat: number, lon: number) => [lat < 0 ? 'S' : 'N', lon < 0 ? 'W' : 'E'] as const;

  it('[R4.03] is read in degrees, with three decimals or more, and never as minutes without zeros', () => {
    fc.assert(
      fc.property(place, ({ lat, lon, decimals }) => {
        const [north, east] = sides(lat, lon);
        const found = placeIn([Math.abs(lat).toFixed(decimals), north, Math.abs(lon).toFixed(decimals), east]);
        expect(found).toMatchObject({ lat: expect.closeTo(lat, 9), lon: expect.closeTo(lon, 9) });
      }),
    );
  });

  it('[R4.03] is read in degrees and minutes, whatever the number of decimals', () => {
    fc.assert(
      fc.property(place, ({ lat, lon, decimals }) => {
        const [north, east] = sides(lat, lon);
        const written = (value: number, digits: number): string => {
          const whole = Math.floor(Math.abs(value));
          const minutes = ((Math.abs(value) - whole) * 60).toFixed(decimals);
          return `${String(whole).padStart(digits, '0')}${minutes.padStart(decimals + 3, '0')}`;
        };
        const found = placeIn([written(lat, 2), north, written(lon, 3), east]);
        expect(found?.lat).toBeCloseTo(lat, 4);
        expect(found?.lon).toBeCloseTo(lon, 4);
      }),
    );
  });
});
