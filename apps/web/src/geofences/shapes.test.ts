import type { GeofenceShape, GeoPoint } from '@milepost/contract';
import { compileFence } from '@milepost/geo';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  corridorArea,
  geometryOf,
  labelPointOf,
  moved,
  type PolygonShape,
  pointsOf,
  problemOf,
  ringAt,
  rounded,
  sizeOf,
  toFenceShape,
  toLatLon,
  withHole,
  withHolesMoved,
  withoutHole,
  withoutPoint,
  withPoint,
  withPointAfter,
  withRing,
} from './shapes.ts';

const point = fc
  .tuple(fc.double({ min: -179, max: 179, noNaN: true }), fc.double({ min: -80, max: 80, noNaN: true }))
  .map(rounded);
const shapes: fc.Arbitrary<GeofenceShape> = fc.oneof(
  fc.record({ kind: fc.constant('circle' as const), center: point, radiusM: fc.integer({ min: 20, max: 5000 }) }),
  fc.record({
    kind: fc.constant('polygon' as const),
    rings: fc.array(fc.array(point, { minLength: 3, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
  }),
  point.map(([west, south]) => ({
    kind: 'rectangle' as const,
    bounds: [west, south, west + 0.5, south + 0.5] as [number, number, number, number],
  })),
  fc.record({
    kind: fc.constant('corridor' as const),
    line: fc.array(point, { minLength: 2, maxLength: 6 }),
    widthM: fc.integer({ min: 10, max: 5000 }),
  }),
);

describe('[R2.08] the points of a shape', () => {
  it('are where they were moved to', () => {
    fc.assert(
      fc.property(shapes, fc.nat(), point, (shape, n, to) => {
        const at = n % pointsOf(shape).length;
        expect(pointsOf(withPoint(shape, at, to))[at]).toEqual(to);
      }),
    );
  });

  it('a new one and its removal leave the shape as it was', () => {
    fc.assert(
      fc.property(shapes, fc.nat(), (shape, n) => {
        const at = n % pointsOf(shape).length;
        const more = withPointAfter(shape, at);
        if (shape.kind === 'circle' || shape.kind === 'rectangle') expect(more).toBe(shape);
        else expect(withoutPoint(more, at + 1)).toEqual(shape);
      }),
    );
  });

  it('are never too few; a hole with too few goes away', () => {
    const triangle: GeoPoint[] = [
      [0, 0],
      [4, 0],
      [0, 4],
    ];
    const hole: GeoPoint[] = [
      [1, 1],
      [2, 1],
      [1, 2],
    ];
    const shape: GeofenceShape = { kind: 'polygon', rings: [triangle, hole] };
    expect(withoutPoint(shape, 1)).toBeNull();
    expect(withoutPoint(shape, 4)).toEqual({ kind: 'polygon', rings: [triangle] });
    expect(withoutPoint({ kind: 'corridor', line: triangle.slice(1), widthM: 20 }, 0)).toBeNull();
    expect(withoutPoint({ kind: 'circle', center: [0, 0], radiusM: 20 }, 0)).toBeNull();
  });
});

describe('[R2.08] holes', () => {
  const bent: PolygonShape = {
    kind: 'polygon',
    // Its middle is outside.
    rings: [
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [3, 4],
        [3, 1],
        [0, 1],
      ],
    ],
  };

  it('are cut where there is room, one beside the other, and can be removed', () => {
    const one = withHole(bent) as PolygonShape;
    const two = withHole(one) as PolygonShape;
    expect([problemOf(one), problemOf(two)]).toEqual([null, null]);
    expect(two.rings.map(({ length }) => length)).toEqual([6, 4, 4]);
    expect(sizeOf(two).area).toBeLessThan(sizeOf(one).area);
    expect(withoutHole(two, 1).rings).toEqual([bent.rings[0], two.rings[2]]);
  });

  it('are found by their points, and drawn anew one by one', () => {
    const one = withHole(bent) as PolygonShape;
    expect([5, 6, 9].map(at => ringAt(one, at))).toEqual([
      { ring: 0, first: 0 },
      { ring: 1, first: 6 },
      { ring: 1, first: 6 },
    ]);
    expect(withRing(one, 0, [[0, 0]]).rings).toEqual([[[0, 0]], one.rings[1]]);
    expect(withRing(bent, 1, [[1, 1]]).rings).toEqual([bent.rings[0], [[1, 1]]]);
  });

  it('go along with their outline', () => {
    const one = withHole(bent) as PolygonShape;
    const [outline = [], hole = []] = one.rings;
    const shifted = withRing(
      one,
      0,
      outline.map(([lon, lat]) => [lon + 2, lat - 1]),
    );
    const moved = withHolesMoved(shifted, one) as PolygonShape;
    expect(moved.rings[1]).toEqual(hole.map(([lon, lat]) => rounded([lon + 2, lat - 1])));
    expect(problemOf(moved)).toBeNull();
    expect(withHolesMoved(bent, bent)).toBe(bent);
  });

  it('are cut across the antimeridian, too', () => {
    const over: PolygonShape = {
      kind: 'polygon',
      rings: [
        [
          [179, 0],
          [-179, 0],
          [-179, 2],
          [179, 2],
        ],
      ],
    };
    const cut = withHole(over) as PolygonShape;
    expect(problemOf(cut)).toBeNull();
    expect(cut.rings[1]?.every(([lon]) => Math.abs(lon) <= 180)).toBe(true);
  });
});

it('a corner moved past the others is a problem that says where', () => {
  const square: GeofenceShape = {
    kind: 'polygon',
    rings: [
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [0, 4],
      ],
    ],
  };
  expect(problemOf(square)).toBeNull();
  expect(problemOf(withPoint(square, 0, [5, 3]))).toMatchObject({ code: 'crosses-itself' });
});

it('a point is moved by meters', () => {
  const [lon, lat] = moved([-78.88, 38.2], 10, 0);
  expect(lat).toBeCloseTo(38.2, 6);
  expect((lon + 78.88) * 87_400).toBeCloseTo(10, 0);
});

it('sizes and outlines follow the shape', () => {
  const { area, perimeter } = sizeOf({ kind: 'circle', center: [0, 0], radiusM: 100 });
  expect([area, perimeter]).toEqual([expect.closeTo(31_416, 0), expect.closeTo(628.3, 1)]);
  const over = geometryOf({ kind: 'rectangle', bounds: [179, 0, -179, 1] });
  expect(over).toMatchObject({
    coordinates: [
      [
        [179, 0],
        [181, 0],
        [181, 1],
        [179, 1],
        [179, 0],
      ],
    ],
  });
});

/** A simple outline around a point, as crooked as it likes, with a hole in the middle or none. */
const around = fc
  .tuple(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.double({ min: -70, max: 70, noNaN: true }),
    fc.array(fc.double({ min: 0.2, max: 1, noNaN: true }), { minLength: 4, maxLength: 12 }),
    fc.boolean(),
  )
  .map(([lon, lat, reach, hasHole]): GeofenceShape => {
    const ring = (scale: number): GeoPoint[] =>
      reach.map((length, i) => {
        const angle = (2 * Math.PI * i) / reach.length;
        const east = lon + scale * length * Math.cos(angle);
        return rounded([
          east > 180 ? east - 360 : east < -180 ? east + 360 : east,
          lat + scale * length * Math.sin(angle),
        ]);
      });
    return { kind: 'polygon', rings: hasHole ? [ring(0.1), ring(0.04)] : [ring(0.1)] };
  });

it('[R2.08] the name of an area stands inside it, beside its holes, on either side of the antimeridian', () => {
  fc.assert(
    fc.property(around, shape => {
      if (shape.kind === 'corridor') return;
      const [lon = 0, lat = 0] = labelPointOf(shape);
      const place = toLatLon([lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon, lat]);
      expect(compileFence(toFenceShape(shape)).signedDistance(place)).toBeLessThan(1);
    }),
    { numRuns: 500 },
  );
});

it('[R2.08] the area of a corridor is what the engine takes for inside', () => {
  const shape: GeofenceShape = {
    kind: 'corridor',
    widthM: 900,
    line: [
      [-87.66, 41.84],
      [-87.7, 41.82],
      [-87.71, 41.8],
      [-87.76, 41.79],
    ],
  };
  const { coordinates } = corridorArea(shape);
  expect(coordinates).toHaveLength(1);
  const [[ring = []] = []] = coordinates;
  expect(ring.at(-1)).toEqual(ring[0]);
  const { area } = sizeOf(shape);
  const drawn = sizeOf({ kind: 'polygon', rings: [ring.slice(1).map(([lon = 0, lat = 0]): GeoPoint => [lon, lat])] });
  expect(drawn.area / area).toBeCloseTo(1, 1);
});
