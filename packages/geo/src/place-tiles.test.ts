import { degrees, metres } from '@milepost/units';
import fc from 'fast-check';
import KDBush from 'kdbush';
import { expect, it } from 'vitest';
import type { LatLon } from './fix.ts';
import { distanceOfSquare, NearestInTiles } from './place-tiles.ts';
import { distanceMetres } from './sphere.ts';

const MOST = 6;
const WITHIN = metres(300_000);

/** Somewhere on Earth, or in one region of some hundred kilometers. */
const anywhere = fc.record({
  lat: fc.double({ min: -89.9, max: 89.9, noNaN: true }).map(degrees),
  lon: fc.double({ min: -180, max: 180, noNaN: true }).map(degrees),
});
const near = ({ lat, lon }: LatLon) =>
  fc.record({
    lat: fc.double({ min: Math.max(-89.9, lat - 3), max: Math.min(89.9, lat + 3), noNaN: true }).map(degrees),
    lon: fc.double({ min: Math.max(-180, lon - 3), max: Math.min(180, lon + 3), noNaN: true }).map(degrees),
  });
const story = anywhere.chain(center =>
  fc.record({
    points: fc.array(near(center), { minLength: 0, maxLength: 80 }),
    asked: fc.array(near(center), { minLength: 1, maxLength: 20 }),
  }),
);

it('a tile gives the same nearest points as a search of all, everywhere in it', () => {
  fc.assert(
    fc.property(story, ({ asked, points }) => {
      const tree = new KDBush(points.length);
      for (const { lat, lon } of points) tree.add(lon, lat);
      const [lat, lon] = [points.map(point => point.lat), points.map(point => point.lon)];
      const tiles = new NearestInTiles({ lat, lon, tree: tree.finish(), most: MOST, within: WITHIN });
      for (const at of asked) {
        const all = points.map(point => distanceMetres(point, at)).toSorted((a, b) => a - b);
        const expected = all.filter(distance => distance <= WITHIN).slice(0, MOST);
        const found = Array.from({ length: tiles.find(at.lat, at.lon) }, (_, i) => ({
          point: points[tiles.ids[i] as number] as LatLon,
          distance: distanceOfSquare(tiles.squares[i] as number),
        }));
        for (const { distance, point } of found) expect(distance).toBeCloseTo(distanceMetres(point, at), 3);
        // On the edge of what is searched, either is right.
        if (all.some(distance => Math.abs(distance - WITHIN) < 1)) continue;
        expect(found.map(({ distance }) => Math.round(distance * 100))).toEqual(
          expected.map(distance => expect.closeTo(Math.round(distance * 100), -1)),
        );
      }
    }),
    { numRuns: 300 },
  );
});
