import { type Degrees, degrees, metres } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LatLon } from './fix.ts';
import { destination } from './sphere.ts';
import { buildStreetIndex, encodeStreets, nearestStreet, type Street, type StreetFile } from './streets.ts';
import { CHICAGO } from './testing/drive.ts';

const NORTH = degrees(0);
const EAST = degrees(90);
const go = (from: LatLon, course: Degrees, distance: number) => destination(from, course, metres(distance));
const damen: Street = { name: 'N Damen Ave', points: [CHICAGO, go(CHICAGO, NORTH, 3000)] };
const division: Street = {
  name: 'W Division St',
  points: [go(CHICAGO, degrees(270), 2000), go(CHICAGO, EAST, 100), go(CHICAGO, EAST, 2000)],
};
const nameless: Street = { name: '', points: [go(CHICAGO, EAST, 500), go(go(CHICAGO, EAST, 500), NORTH, 3000)] };
const index = buildStreetIndex(encodeStreets([damen, division, nameless]));

describe('streets', () => {
  it('finds the nearest named street, even in the middle of a long straight one', () => {
    const midway = go(go(CHICAGO, NORTH, 1500), EAST, 20);
    expect(nearestStreet(index, midway)?.name).toBe('N Damen Ave');
    expect(nearestStreet(index, midway)?.distance).toBeCloseTo(20, 0);
    expect(nearestStreet(index, go(CHICAGO, degrees(270), 1000))?.name).toBe('W Division St');
  });

  it('finds nothing farther than 60 m from any street, or beside one without a name', () => {
    const halfway = go(CHICAGO, NORTH, 1500);
    expect(nearestStreet(index, go(halfway, EAST, 59))?.name).toBe('N Damen Ave');
    expect(nearestStreet(index, go(halfway, EAST, 61))).toBeNull();
    expect(nearestStreet(index, go(halfway, EAST, 500))).toBeNull();
  });

  it('stores each name once, and lines as differences in millionths of a degree', () => {
    const at = (lon: number, lat: number) => ({ lon: degrees(lon), lat: degrees(lat) });
    const file = encodeStreets([
      { name: 'A St', points: [at(-87.5, 41.5), at(-87.499, 41.5), at(-87.499, 41.502)] },
      { name: 'A St', points: [at(1, 2), at(1.000001, 2)] },
    ]);
    expect(file).toEqual({
      format: 'milepost-streets-1',
      names: ['A St'],
      lines: [
        [0, -87_500_000, 41_500_000, 1000, 0, 0, 2000],
        [0, 1_000_000, 2_000_000, 1, 0],
      ],
    });
  });

  it('refuses another format', () => {
    const other = { format: 'geojson', names: [], lines: [] } as unknown as StreetFile;
    expect(() => buildStreetIndex(other)).toThrow('The street file is geojson, not milepost-streets-1.');
    expect(() => buildStreetIndex({ format: 'milepost-streets-1', names: [], lines: [[0, 1, 1, 2, 2]] })).toThrow();
  });

  it('finds a street from every point on or beside it', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -70, max: 70, noNaN: true }),
        fc.double({ min: -179, max: 179, noNaN: true }),
        fc.double({ min: 0, max: 359, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: -55, max: 55, noNaN: true }),
        (lat, lon, course, share, aside) => {
          const from = { lat: degrees(lat), lon: degrees(lon) };
          const street = { name: 'Any St', points: [from, go(from, degrees(course), 800)] };
          const on = go(from, degrees(course), 800 * share);
          const beside = go(on, degrees(course + 90), aside);
          const found = nearestStreet(buildStreetIndex(encodeStreets([street])), beside);
          expect(found?.name).toBe('Any St');
          expect(Math.abs((found?.distance ?? 99) - Math.abs(aside))).toBeLessThan(1);
        },
      ),
    );
  });
});
