import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterPoints } from './cluster.ts';
import { latOf, lonOf, mercatorX, mercatorY } from './mercator.ts';

const coordinate = fc.double({ min: -1e5, max: 1e5, noNaN: true });
const points = fc.array(fc.tuple(coordinate, coordinate), { maxLength: 120 });

describe('clusterPoints', () => {
  const cluster = (list: readonly (readonly [number, number])[], radius: number) =>
    clusterPoints({ x: list.map(([x]) => x), y: list.map(([, y]) => y), count: list.length }, radius);

  it('gathers what lies together and leaves alone what stands apart', () => {
    const list = [
      [0, 0],
      [5, 5],
      [100, 0],
      [-4, 3],
    ] as const;
    expect(cluster(list, 10)).toEqual([[0, 3, 1], [2]].map(group => expect.arrayContaining(group)));
  });

  it('puts every point in exactly one group, within the radius of the one that took it', () => {
    fc.assert(
      fc.property(points, fc.double({ min: 0.1, max: 1e5, noNaN: true }), (list, radius) => {
        const groups = cluster(list, radius);
        expect(groups.flat().sort((a, b) => a - b)).toEqual(list.map((_, i) => i));
        for (const [first, ...others] of groups) {
          for (const other of others) {
            const [ax, ay] = list[first as number]!;
            const [bx, by] = list[other]!;
            expect(Math.hypot(ax - bx, ay - by)).toBeLessThanOrEqual(radius * (1 + 1e-12));
          }
        }
      }),
    );
  });

  it('leaves no two groups whose first points lie within the radius', () => {
    fc.assert(
      fc.property(points, fc.double({ min: 1, max: 1e4, noNaN: true }), (list, radius) => {
        const firsts = cluster(list, radius).map(group => list[group[0] as number]!);
        for (const [i, a] of firsts.entries()) {
          for (const b of firsts.slice(i + 1)) {
            expect(Math.hypot(a[0] - b[0], a[1] - b[1])).toBeGreaterThanOrEqual(radius * (1 - 1e-12));
          }
        }
      }),
    );
  });
});

it('mercator leads there and back', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -85, max: 85, noNaN: true }),
      (lon, lat) => {
        expect(lonOf(mercatorX(lon))).toBeCloseTo(lon, 9);
        expect(latOf(mercatorY(lat))).toBeCloseTo(lat, 9);
      },
    ),
  );
});
