import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areaOf, type PlanePoint, stripOutline } from './strip-outline.ts';

const distance = ([x, y]: PlanePoint, line: readonly PlanePoint[]): number =>
  Math.min(
    ...line.map(([ax, ay], i) => {
      const [bx, by] = line[i + 1] ?? [ax, ay];
      const [dx, dy] = [bx - ax, by - ay];
      const length = dx * dx + dy * dy;
      const part = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length));
      return Math.hypot(x - ax - part * dx, y - ay - part * dy);
    }),
  );

/** By counting how often a ray crosses the rings. */
const isInside = ([x, y]: PlanePoint, rings: readonly (readonly PlanePoint[])[]): boolean =>
  rings
    .flatMap(ring => ring.map((point, i) => [point, ring[(i + 1) % ring.length] ?? point] as const))
    .filter(([[ax, ay], [bx, by]]) => ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)).length %
    2 ===
  1;

describe('the outline of a corridor', () => {
  it('of one leg is a strip with two round ends', () => {
    const [ring = [], ...holes] =
      stripOutline(
        [
          [0, 0],
          [10, 0],
        ],
        1,
      ) ?? [];
    expect(holes).toEqual([]);
    expect(areaOf(ring)).toBeCloseTo(20 + Math.PI, 1);
    for (const point of ring)
      expect(
        distance(point, [
          [0, 0],
          [10, 0],
        ]),
      ).toBeCloseTo(1, 9);
  });

  it('of a point is a circle, and of a line there and back the strip of one way', () => {
    expect(areaOf(stripOutline([[3, 4]], 2)?.[0] ?? [])).toBeCloseTo(4 * Math.PI, 0);
    const [ring = []] =
      stripOutline(
        [
          [0, 0],
          [10, 0],
          [0, 0],
        ],
        1,
      ) ?? [];
    expect(areaOf(ring)).toBeCloseTo(20 + Math.PI, 1);
  });

  it('of a line around something has that as a hole', () => {
    const square: PlanePoint[] = [
      [0, 0],
      [20, 0],
      [20, 20],
      [0, 20],
      [0, 0],
    ];
    const [outer = [], hole = [], ...more] = stripOutline(square, 2) ?? [];
    expect(more).toEqual([]);
    expect(areaOf(hole)).toBeCloseTo(-16 * 16, 6);
    expect(areaOf(outer)).toBeCloseTo(20 * 20 + 4 * 40 + Math.PI * 4, 0);
  });

  it('of any line is closed, and has inside what is near to it, and nothing else', () => {
    const coordinate = fc.integer({ min: -4000, max: 4000 }).map(n => n / 100);
    const line = fc.array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 9 });
    const probe = fc.array(fc.tuple(coordinate, coordinate), { minLength: 60, maxLength: 60 });
    let clear = 0;
    let all = 0;
    fc.assert(
      fc.property(line, fc.integer({ min: 5, max: 80 }), probe, (points, tenths, probes) => {
        const width = tenths / 10;
        const rings = stripOutline(points, width);
        all++;
        if (rings === null) return;
        clear++;
        for (const point of rings.flat()) expect(distance(point, points)).toBeGreaterThan(0.97 * width);
        for (const point of probes) {
          const away = distance(point, points) / width;
          // Chords are a little inside of their arc.
          if (away < 0.95 || away > 1.05)
            expect([point, away, isInside(point, rings)]).toEqual([point, away, away < 1]);
        }
      }),
      { numRuns: 150 },
    );
    expect(clear / all).toBeGreaterThan(0.9);
  });
});
