import { degrees, metres } from '@milepost/units';
import fc from 'fast-check';
import { Geodesic } from 'geographiclib-geodesic';
import { describe, expect, it } from 'vitest';
import type { LatLon } from '../fix.ts';
import { compileFence } from './area.ts';
import { ellipsoidDistance } from './ellipsoid.ts';
import type { FenceShape } from './shape.ts';

const at = (lat: number, lon: number): LatLon => ({
  lat: degrees(lat),
  lon: degrees(((((lon + 180) % 360) + 360) % 360) - 180),
});
/** Exact to nanometers, by another algorithm: Karney's. */
const geodesic = (a: LatLon, b: LatLon): number => Geodesic.WGS84.Inverse(a.lat, a.lon, b.lat, b.lon).s12 ?? 0;
const apart = (lon: number, other: number): number => lon - other - 360 * Math.round((lon - other) / 360);

/** Points along the edges, so near to each other that none of the edge is missed by more than `step` meters. */
function sampled(line: readonly LatLon[], step: number, isClosed: boolean): LatLon[] {
  const ends = isClosed ? [...line, line[0] as LatLon] : line;
  return ends.slice(1).flatMap((b, i) => {
    const a = ends[i] as LatLon;
    const count = Math.max(1, Math.ceil(geodesic(a, b) / step));
    return Array.from({ length: count + 1 }, (_, k) =>
      at(a.lat + (k / count) * (b.lat - a.lat), a.lon + (k / count) * apart(b.lon, a.lon)),
    );
  });
}

/** The sum of the angles under which the edges are seen: a whole turn from inside. */
function isInsideByAngles(ring: readonly LatLon[], p: LatLon): boolean {
  let sum = 0;
  for (const [i, a] of ring.entries()) {
    const b = ring[(i + 1) % ring.length] as LatLon;
    const [ax, ay] = [apart(a.lon, p.lon), a.lat - p.lat];
    const bx = ax + apart(b.lon, a.lon);
    sum += Math.atan2(ax * (b.lat - p.lat) - bx * ay, ax * bx + ay * (b.lat - p.lat));
  }
  return Math.abs(sum) > Math.PI;
}

const center = fc.oneof(
  fc.record({
    lat: fc.double({ min: -75, max: 75, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
  }),
  fc.record({
    lat: fc.double({ min: -60, max: 60, noNaN: true }),
    lon: fc.constantFrom(180, -180, 179.999, -179.9995),
  }),
);
/** Around a center: a ring of points by growing angle never crosses itself. */
const ring = (c: LatLon, size: number): fc.Arbitrary<LatLon[]> =>
  fc
    .array(fc.tuple(fc.double({ min: 0.2, max: 1, noNaN: true }), fc.double({ min: 0.1, max: 1, noNaN: true })), {
      minLength: 3,
      maxLength: 14,
    })
    .map(points => {
      const turn = points.reduce((sum, [, angle]) => sum + angle, 0);
      let angle = 0;
      return points.map(([radius, step]) => {
        angle += (step / turn) * 2 * Math.PI;
        const far = (radius * size) / 111_000;
        return at(c.lat + far * Math.sin(angle), c.lon + (far * Math.cos(angle)) / Math.cos((c.lat * Math.PI) / 180));
      });
    });
const around = (c: LatLon, size: number): fc.Arbitrary<LatLon> =>
  fc
    .tuple(fc.double({ min: -1.5, max: 1.5, noNaN: true }), fc.double({ min: -1.5, max: 1.5, noNaN: true }))
    .map(([north, east]) =>
      at(c.lat + (north * size) / 111_000, c.lon + (east * size) / 111_000 / Math.cos((c.lat * Math.PI) / 180)),
    );
const SIZES = fc.constantFrom(60, 400, 3000);
const nearPole = (min: number, max: number): typeof center =>
  fc.record({
    lat: fc.tuple(fc.double({ min, max, noNaN: true }), fc.constantFrom(1, -1)).map(([lat, sign]) => lat * sign),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
  });
/** Where shapes are, and how large, in meters: near a pole, a large one isn't flat any more. */
const PLACES = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(center, SIZES) },
  { weight: 1, arbitrary: fc.tuple(nearPole(75, 85), fc.constantFrom(60, 400)) },
  { weight: 1, arbitrary: fc.tuple(nearPole(85, 89.5), fc.constant(60)) },
);

describe('distance on the ellipsoid', () => {
  it('is that of the exact geodesic, within a ten-thousandth', () => {
    fc.assert(
      fc.property(center, center, (a, b) => {
        const [one, other] = [at(a.lat, a.lon), at(b.lat, b.lon)];
        const exact = geodesic(one, other);
        fc.pre(exact < 15_000_000);
        expect(Math.abs(ellipsoidDistance(one, other) - exact)).toBeLessThan(1e-3 + exact * 1e-5);
      }),
    );
  });
});

describe('a geofence’s distance to its edge', () => {
  const check = (shape: FenceShape, p: LatLon, edge: readonly LatLon[], isInside: boolean, half = 0): void => {
    const exact = Math.abs(Math.min(...edge.map(point => geodesic(point, p))) - half);
    const signed = compileFence(shape).signedDistance(p);
    expect(Math.abs(Math.abs(signed) - exact)).toBeLessThan(1 + exact * 2e-3);
    if (exact > 0.5) expect([signed < 0, exact]).toEqual([isInside, exact]);
  };

  it('of a circle is that of the geodesic, across the antimeridian and around a pole', () => {
    const anywhere = fc.record({
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lon: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(
        anywhere,
        fc.integer({ min: 20, max: 200_000 }),
        fc.nat(359),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (c, radius, course, part) => {
          const middle = at(c.lat, c.lon);
          const there = Geodesic.WGS84.Direct(middle.lat, middle.lon, course, part * radius);
          const p = at(there.lat2 ?? 0, there.lon2 ?? 0);
          const area = compileFence({ kind: 'circle', center: middle, radius: metres(radius) });
          expect(Math.abs(area.signedDistance(p) - (part * radius - radius))).toBeLessThan(
            0.001 + part * radius * 5e-6,
          );
        },
      ),
    );
  });

  it('of a polygon with holes is that of the nearest point of any edge; the sign says which side', () => {
    const arb = PLACES.chain(([c, size]) => {
      const middle = at(c.lat, c.lon);
      return fc.record({
        outline: ring(middle, size),
        hole: ring(middle, size * 0.15),
        p: around(middle, size),
        size: fc.constant(size),
      });
    });
    fc.assert(
      fc.property(arb, ({ outline, hole, p, size }) => {
        const rings = [outline, hole];
        const edge = rings.flatMap(one => sampled(one, size / 1500, true));
        const isInside = isInsideByAngles(outline, p) !== isInsideByAngles(hole, p);
        check({ kind: 'polygon', rings }, p, edge, isInside);
      }),
      { numRuns: 60 },
    );
  });

  it('of a corridor is half of its width from its line', () => {
    const arb = PLACES.chain(([c, size]) => {
      const middle = at(c.lat, c.lon);
      return fc.record({
        line: fc.array(around(middle, size), { minLength: 2, maxLength: 8 }),
        p: around(middle, size),
        half: fc.integer({ min: 5, max: Math.ceil(size / 2) }),
        size: fc.constant(size),
      });
    });
    fc.assert(
      fc.property(arb, ({ line, p, half, size }) => {
        fc.pre(line.some(point => geodesic(point, line[0] as LatLon) > 1));
        const edge = sampled(line, size / 1500, false);
        const isInside = Math.min(...edge.map(point => geodesic(point, p))) < half;
        check({ kind: 'corridor', line, width: metres(2 * half) }, p, edge, isInside, half);
      }),
      { numRuns: 60 },
    );
  });
});

/** A ring in two: both have the middle, to which they go from the first point and from another one. */
const halves = (middle: LatLon, outline: readonly LatLon[], cut: number): [LatLon[], LatLon[]] => {
  const nth = 1 + (cut % (outline.length - 1));
  return [
    [middle, ...outline.slice(0, nth + 1)],
    [middle, ...outline.slice(nth), outline[0] as LatLon],
  ];
};

describe('geofences that touch', () => {
  const arb = fc.tuple(PLACES, fc.nat()).chain(([[c, size], cut]) => {
    const middle = at(c.lat, c.lon);
    return fc.record({
      middle: fc.constant(middle),
      // All angles of a half are less than half a turn, so that both are what they look like.
      outline: fc.array(fc.double({ min: 0.3, max: 1, noNaN: true }), { minLength: 5, maxLength: 14 }).map(radii =>
        radii.map((radius, i): LatLon => {
          const [angle, far] = [(i / radii.length) * 2 * Math.PI, (radius * size) / 111_000];
          const wide = far / Math.cos((middle.lat * Math.PI) / 180);
          return at(middle.lat + far * Math.sin(angle), middle.lon + wide * Math.cos(angle));
        }),
      ),
      cut: fc.constant(cut),
      p: around(middle, size),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    });
  });
  const area = (ringOf: readonly LatLon[]) => compileFence({ kind: 'polygon', rings: [ringOf] });

  it('share no place, and leave none out: what is in both together is in exactly one', () => {
    fc.assert(
      fc.property(arb, ({ middle, outline, cut, p }) => {
        const [half, rest] = halves(middle, outline, cut);
        const [one, other] = [area(half).signedDistance(p), area(rest).signedDistance(p)];
        if (Math.min(Math.abs(one), Math.abs(other)) < 0.001) return;
        expect([one < 0, other < 0].filter(Boolean)).toHaveLength(isInsideByAngles(outline, p) ? 1 : 0);
      }),
      { numRuns: 300 },
    );
  });

  it('have the same distance to a place on their common edge: none', () => {
    fc.assert(
      fc.property(arb, ({ middle, outline, cut, part }) => {
        const end = outline[1 + (cut % (outline.length - 1))] as LatLon;
        const on = at(middle.lat + part * (end.lat - middle.lat), middle.lon + part * apart(end.lon, middle.lon));
        for (const half of halves(middle, outline, cut)) {
          expect(Math.abs(area(half).signedDistance(on))).toBeLessThan(0.001);
        }
      }),
    );
  });
});

describe('the parts of a segment inside', () => {
  it('are where its points are inside', () => {
    const arb = PLACES.chain(([c, size]) => {
      const middle = at(c.lat, c.lon);
      const shape: fc.Arbitrary<FenceShape> = fc.oneof(
        fc
          .integer({ min: 20, max: size })
          .map(radius => ({ kind: 'circle' as const, center: middle, radius: metres(radius) })),
        fc.tuple(ring(middle, size), ring(middle, size * 0.15)).map(rings => ({ kind: 'polygon' as const, rings })),
        fc
          .tuple(fc.array(around(middle, size), { minLength: 2, maxLength: 6 }), fc.integer({ min: 10, max: size }))
          .map(([line, width]) => ({ kind: 'corridor' as const, line, width: metres(width) })),
      );
      return fc.record({ shape, a: around(middle, size), b: around(middle, size) });
    });
    fc.assert(
      fc.property(arb, ({ shape, a, b }) => {
        const area = compileFence(shape);
        const parts = area.inside(a, b);
        for (let t = 0; t <= 1; t += 0.01) {
          const distance = area.signedDistance(at(a.lat + t * (b.lat - a.lat), a.lon + t * apart(b.lon, a.lon)));
          if (Math.abs(distance) < 2 + geodesic(a, b) * 0.002) continue;
          expect([t, parts.some(([from, to]) => from <= t && t <= to)]).toEqual([t, distance < 0]);
        }
      }),
    );
  });
});

describe('size', () => {
  it('of a polygon is the geodesic one’s but for the bulge of its edges, holes taken off', () => {
    const arb = PLACES.chain(([c, size]) =>
      fc.tuple(ring(at(c.lat, c.lon), size), ring(at(c.lat, c.lon), size * 0.15)),
    );
    fc.assert(
      fc.property(arb, ([outline, hole]) => {
        const exact = (points: readonly LatLon[]) => {
          const measured = Geodesic.WGS84.Polygon(false);
          for (const { lat, lon } of points) measured.AddPoint(lat, lon);
          const { area = 0, perimeter } = measured.Compute(false, true);
          return { area: Math.abs(area), perimeter };
        };
        // Between an edge that is straight in degrees and the shortest way.
        const bulge = [outline, hole]
          .flatMap(points => points.map((a, i) => [a, points[(i + 1) % points.length] as LatLon] as const))
          .reduce((sum, [a, b]) => {
            const steepest = Math.tan((Math.max(Math.abs(a.lat), Math.abs(b.lat)) * Math.PI) / 180);
            return sum + (geodesic(a, b) ** 3 * steepest) / (12 * 6_356_000);
          }, 0);
        const [outer, inner] = [exact(outline), exact(hole)];
        fc.pre(outer.area > 100);
        const { area, perimeter } = compileFence({ kind: 'polygon', rings: [outline, hole] });
        const expected = Math.max(0, outer.area - inner.area);
        expect(Math.abs(area - expected)).toBeLessThan(1.1 * bulge + 1e-4 * (outer.area + inner.area));
        expect(perimeter / (outer.perimeter + inner.perimeter)).toBeCloseTo(1, 3);
      }),
    );
  });
});
