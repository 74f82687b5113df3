import { degrees, metres } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LatLon } from './fix.ts';
import { bearingDegrees, destination, distanceMetres } from './sphere.ts';

const place = (lat: number, lon: number): LatLon => ({ lat: degrees(lat), lon: degrees(lon) });
const anywhere = fc
  .record({ lat: fc.double({ min: -90, max: 90, noNaN: true }), lon: fc.double({ min: -180, max: 180, noNaN: true }) })
  .map(({ lat, lon }) => place(lat, lon));

describe('distance', () => {
  it('matches known great circles on the mean sphere', () => {
    // A quarter of the meridian of a sphere of radius 6,371,008.8 m; one minute of it is close to a nautical mile.
    expect(distanceMetres(place(0, 0), place(90, 0))).toBeCloseTo(10_007_557.2, 0);
    expect(distanceMetres(place(41, -87), place(41 + 1 / 60, -87))).toBeCloseTo(1853.25, 1);
    expect(distanceMetres(place(0, 179.9), place(0, -179.9))).toBeCloseTo(22_239, 0);
    expect(distanceMetres(place(10, 20), place(-10, -160))).toBeCloseTo(20_015_114.4, 0);
  });

  it('is within 0.56 % of the ellipsoid', () => {
    // WGS 84 arc lengths of one degree: 111,319.49 m of the equator, 110,574.3 m of the meridian at the equator.
    expect(distanceMetres(place(0, 0), place(0, 1)) / 111_319.49).toBeCloseTo(1, 2);
    expect(distanceMetres(place(-0.5, 0), place(0.5, 0)) / 110_574.3 - 1).toBeLessThan(0.0057);
  });

  it('is a metric: zero to itself, symmetric, never shorter by a detour', () => {
    fc.assert(
      fc.property(anywhere, anywhere, anywhere, (a, b, c) => {
        expect(distanceMetres(a, a)).toBe(0);
        expect(distanceMetres(a, b)).toBeCloseTo(distanceMetres(b, a), 6);
        expect(distanceMetres(a, c)).toBeLessThanOrEqual(distanceMetres(a, b) + distanceMetres(b, c) + 1);
      }),
    );
  });
});

describe('bearing and destination', () => {
  it('know the points of the compass', () => {
    expect(bearingDegrees(place(0, 0), place(1, 0))).toBeCloseTo(0);
    expect(bearingDegrees(place(0, 0), place(0, 1))).toBeCloseTo(90);
    expect(bearingDegrees(place(0, 0), place(-1, 0))).toBeCloseTo(180);
    expect(bearingDegrees(place(0, 0), place(0, -1))).toBeCloseTo(270);
    expect(bearingDegrees(place(5, 5), place(5, 5))).toBe(0);
  });

  it('are inverse to each other', () => {
    const awayFromThePoles = anywhere.filter(({ lat }) => Math.abs(lat) < 85);
    const angle = fc.double({ min: 0, max: 360, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        awayFromThePoles,
        angle,
        fc.double({ min: 1, max: 200_000, noNaN: true }),
        (from, course, distance) => {
          const to = destination(from, degrees(course), metres(distance));
          expect(distanceMetres(from, to)).toBeCloseTo(distance, 3);
          expect(Math.abs(to.lon)).toBeLessThanOrEqual(180);
          const turn = Math.abs(bearingDegrees(from, to) - course);
          expect(Math.min(turn, 360 - turn)).toBeLessThan(0.001);
        },
      ),
    );
  });

  it('a bearing is always 0 ≤ b < 360', () => {
    fc.assert(
      fc.property(anywhere, anywhere, (a, b) => {
        const bearing = bearingDegrees(a, b);
        expect(bearing).toBeGreaterThanOrEqual(0);
        expect(bearing).toBeLessThan(360);
      }),
    );
  });
});
