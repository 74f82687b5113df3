import fc from 'fast-check';
import { expect, it } from 'vitest';
import { legsOf, lengthOf, withoutLast, withPoint } from './measured-path.ts';

const LOOP = { lat: 41.8781, lon: -87.6298 };
const spot = fc.record({
  lat: fc.double({ min: -85, max: 85, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
});

it('a degree of latitude is 111 km, and a point alone is no path', () => {
  expect(lengthOf([])).toBe(0);
  expect(lengthOf([LOOP])).toBe(0);
  expect(lengthOf([LOOP, { ...LOOP, lat: LOOP.lat + 1 }])).toBeCloseTo(111_195, -2);
});

it('a path is as long as its legs, backwards as forwards, and undoing a point takes its leg away', () => {
  fc.assert(
    fc.property(fc.array(spot, { maxLength: 8 }), spot, (path, next) => {
      const longer = withPoint(path, next);
      expect(legsOf(longer)).toHaveLength(path.length);
      expect(lengthOf(longer)).toBeGreaterThanOrEqual(lengthOf(path));
      expect(withoutLast(longer)).toEqual(path);
      expect(lengthOf(longer.toReversed())).toBeCloseTo(lengthOf(longer), 3);
    }),
  );
});
