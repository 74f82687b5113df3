import { degrees, metres } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clustersOf } from './clusters.ts';
import { destination, distanceMetres } from './sphere.ts';

const place = (lat: number, lon: number) => ({ lat: degrees(lat), lon: degrees(lon) });
const scattered = (at: ReturnType<typeof place>, count: number, far: number) =>
  Array.from({ length: count }, (_, i) => destination(at, degrees((i * 137) % 360), metres((far * (i % 7)) / 7)));

describe('clusters', () => {
  it('are the places where many are, the busiest first', () => {
    const [depot, customer, road] = [place(41.9, -87.7), place(41.91, -87.7), place(42, -87.7)];
    const found = clustersOf([...scattered(customer, 12, 60), ...scattered(depot, 30, 80), road], 3, 20);
    expect(found.map(({ items }) => items.length)).toEqual([30, 12]);
    expect(distanceMetres(found[0]?.center ?? road, depot)).toBeLessThan(20);
    expect(found[0]?.radius).toBeGreaterThanOrEqual(70);
    expect(found[0]?.radius).toBeLessThanOrEqual(130);
  });

  it('hold each item once, all within their radius, wherever on earth', () => {
    const item = fc.record({ north: fc.integer({ min: 0, max: 40 }), east: fc.integer({ min: 0, max: 40 }) });
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 120 }),
        fc.integer({ min: -85, max: 85 }),
        fc.integer({ min: -179, max: 178 }),
        (all, lat, lon) => {
          const items = all.map(({ north, east }) =>
            destination(destination(place(lat, lon), degrees(0), metres(north * 25)), degrees(90), metres(east * 25)),
          );
          const found = clustersOf(items, 2, 1000);
          const inAny = found.flatMap(cluster => cluster.items);
          expect(new Set(inAny).size).toBe(inAny.length);
          for (const { center, radius, items: members } of found) {
            expect(members.length).toBeGreaterThanOrEqual(2);
            for (const member of members) expect(distanceMetres(center, member)).toBeLessThanOrEqual(radius);
          }
        },
      ),
    );
  });
});
