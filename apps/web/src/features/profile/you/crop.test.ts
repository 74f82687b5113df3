import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inside, sideOf, wholeOf } from './crop.ts';

it('the square lies inside the picture, wherever it was dragged', () => {
  const number = fc.double({ min: -5000, max: 5000, noNaN: true });
  const length = fc.integer({ min: 1, max: 4000 });
  fc.assert(
    fc.property(length, length, number, number, number, (width, height, x, y, zoom) => {
      const size = { width, height };
      const crop = inside(size, { x, y, zoom });
      const half = sideOf(size, crop) / 2;
      expect(crop.x - half).toBeGreaterThanOrEqual(-1e-6);
      expect(crop.x + half).toBeLessThanOrEqual(width + 1e-6);
      expect(crop.y - half).toBeGreaterThanOrEqual(-1e-6);
      expect(crop.y + half).toBeLessThanOrEqual(height + 1e-6);
      expect(inside(size, crop)).toEqual(crop);
    }),
  );
});

it('begins with all that fits', () => {
  expect(wholeOf({ width: 300, height: 200 })).toEqual({ x: 150, y: 100, zoom: 1 });
  expect(sideOf({ width: 300, height: 200 }, { x: 0, y: 0, zoom: 2 })).toBe(100);
});
