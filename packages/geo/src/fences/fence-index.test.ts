import { degrees, metres } from '@milepost/units';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LatLon } from '../fix.ts';
import { compileFence } from './area.ts';
import { DEFAULT_EDGE, type Fence, FenceIndex } from './fence-index.ts';

const anywhere: fc.Arbitrary<LatLon> = fc
  .record({
    lat: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -0.5, max: 0.5, noNaN: true })),
    lon: fc.oneof(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: 179, max: 180, noNaN: true }),
      fc.double({ min: -180, max: -179, noNaN: true }),
    ),
  })
  .map(({ lat, lon }) => ({ lat: degrees(lat), lon: degrees(lon) }));
const circles = fc
  .array(fc.record({ center: anywhere, radius: fc.integer({ min: 20, max: 200_000 }) }), { maxLength: 60 })
  .map(all =>
    all.map(
      ({ center, radius }, id): Fence => ({
        id,
        area: compileFence({ kind: 'circle', center, radius: metres(radius) }),
        edge: DEFAULT_EDGE,
      }),
    ),
  );

it('finds every geofence that a place is in, and every one that a short way goes through', () => {
  fc.assert(
    fc.property(circles, anywhere, fc.double({ min: -0.2, max: 0.2, noNaN: true }), (fences, from, step) => {
      const index = new FenceIndex(fences);
      const to: LatLon = {
        lat: degrees(Math.max(-90, Math.min(90, from.lat + step))),
        lon: degrees(((((from.lon + step + 180) % 360) + 360) % 360) - 180),
      };
      const here = new Set(index.near(from));
      const onTheWay = new Set(index.near(from, to));
      for (const fence of fences) {
        if (fence.area.signedDistance(from) < 0) expect([fence.id, here.has(fence)]).toEqual([fence.id, true]);
        const isThere = fence.area.signedDistance(from) < 0 || fence.area.signedDistance(to) < 0;
        if (isThere) expect([fence.id, onTheWay.has(fence)]).toEqual([fence.id, true]);
      }
    }),
  );
});

it('touches a box if it finds anything on a way within it', () => {
  const some = fc.array(
    fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
    {
      minLength: 2,
      maxLength: 6,
    },
  );
  fc.assert(
    fc.property(circles, anywhere, anywhere, some, (fences, one, other, fractions) => {
      const index = new FenceIndex(fences);
      const [south, north] = [Math.min(one.lat, other.lat), Math.max(one.lat, other.lat)];
      const [west, east] = [Math.min(one.lon, other.lon), Math.max(one.lon, other.lon)];
      const isTouched = index.touches({ south, west, north, east }, () => true);
      expect(index.touches({ south, west, north, east }, () => false)).toBe(east - west >= 180);
      const way = fractions.map(
        ([y, x]): LatLon => ({ lat: degrees(south + y * (north - south)), lon: degrees(west + x * (east - west)) }),
      );
      for (const [i, to] of way.entries()) {
        if (index.near(way[Math.max(0, i - 1)] as LatLon, to).length > 0) expect(isTouched).toBe(true);
      }
    }),
  );
});

it('of no geofences finds none', () => {
  expect(new FenceIndex([]).near({ lat: degrees(0), lon: degrees(0) })).toEqual([]);
});
