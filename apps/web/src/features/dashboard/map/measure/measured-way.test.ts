import fc from 'fast-check';
import { expect, it } from 'vitest';
import { legsOf, lengthOf, withoutLast, withPoint } from './measured-way.ts';

const LOOP = { lat: 41.8781, lon: -87.6298 };
const spot = fc.record({
  lat: fc.double({ min: -85, max: 85, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
});

it('a degree of latitude is 111 km, and a point alone is no way', () => {
  expect(lengthOf([])).toBe(0);
  expect(lengthOf([LOOP])).toBe(0);
  expect(lengthOf([LOOP, { ...LOOP, lat: LOOP.lat + 1 }])).toBeCloseTo(111_195, -2);
});

it('a way is as long as its legs, backwards as forwards, and undoing a point takes its leg away', () => {
  fc.assert(
    fc.property(fc.array(spot, { maxLength: 8 }), spot, (way, next) => {
      const longer = withPoint(way, next);
      expect(legsOf(longer)).toHaveLength(way.length);
      expect(lengthOf(longer)).toBeGreaterThanOrEqual(lengthOf(way));
      expect(withoutLast(longer)).toEqual(way);
      expect(lengthOf(longer.toReversed())).toBeCloseTo(lengthOf(longer), 3);
    }),
  );
});
