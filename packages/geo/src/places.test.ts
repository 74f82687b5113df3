import { degrees, metres } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPlaceIndex, compassPoint, namePlace, nearestPlace, type Place } from './places.ts';
import { destination, distanceMetres } from './sphere.ts';

const place = (name: string, lat: number, lon: number, population: number): Place => ({
  name,
  region: 'IL',
  lat: degrees(lat),
  lon: degrees(lon),
  population,
});
const chicago = place('Chicago', 41.85003, -87.65005, 2_720_546);
const cicero = place('Cicero', 41.84559, -87.75394, 83_886);
const broadview = place('Broadview', 41.86392, -87.85339, 7_932);
const lincolnwood = place('Lincolnwood', 42.00448, -87.73006, 12_590);
const index = buildPlaceIndex([chicago, cicero, broadview, lincolnwood]);

describe('places', () => {
  it('names the town that a point is in', () => {
    expect(namePlace(index, broadview)?.address).toBe('Broadview, IL');
    expect(namePlace(index, destination(broadview, degrees(0), metres(800)))?.address).toBe('Broadview, IL');
    expect(namePlace(index, cicero)?.address).toBe('Cicero, IL');
  });

  it('handles a large city that extends past the center of the nearest suburb', () => {
    const northDamen = { lat: degrees(41.9666), lon: degrees(-87.6794) };
    expect(distanceMetres(northDamen, lincolnwood)).toBeLessThan(distanceMetres(northDamen, chicago));
    expect(namePlace(index, northDamen)?.address).toBe('Chicago, IL');
  });

  it('gives distance and direction from the nearest town, outside all towns', () => {
    const away = destination(broadview, degrees(202), metres(6100));
    expect(namePlace(index, away)).toMatchObject({
      address: '6 km SSW of Broadview, IL',
      near: { town: 'Broadview, IL' },
    });
    expect(namePlace(index, away)?.near?.distance).toBeCloseTo(distanceMetres(broadview, away), 6);
    expect(nearestPlace(index, away)).toMatchObject({ place: broadview, within: false });
  });

  it('gives nothing if no town is within 300 km', () => {
    expect(namePlace(index, { lat: degrees(30), lon: degrees(-45) })).toBeNull();
    expect(namePlace(buildPlaceIndex([]), chicago)).toBeNull();
  });

  it('turns a bearing into one of sixteen points', () => {
    const points = [0, 11.24, 11.26, 90, 202.5, 348.74, 348.76, 360].map(bearing => compassPoint(degrees(bearing)));
    expect(points).toEqual(['N', 'N', 'NNE', 'E', 'SSW', 'NNW', 'N', 'N']);
  });

  it('matches a search of every place, where no town is around', () => {
    const small = fc
      .tuple(fc.double({ min: 38, max: 44, noNaN: true }), fc.double({ min: -92, max: -84, noNaN: true }))
      .map(([lat, lon]) => place('Town', lat, lon, 2000));
    fc.assert(
      fc.property(fc.array(small, { minLength: 1, maxLength: 50 }), small, (towns, at) => {
        const least = Math.min(...towns.map(town => distanceMetres(town, at)));
        const near = nearestPlace(buildPlaceIndex(towns), at);
        if (least < 299_000) expect(near?.distance).toBeCloseTo(least, 3);
        else if (least > 301_000) expect(near).toBeNull();
      }),
    );
  });
});
