import { degrees, metres } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LatLon } from '../fix.ts';
import { shapeProblem } from './shape-problem.ts';

const ring = (...points: readonly (readonly [number, number])[]): LatLon[] =>
  points.map(([lon, lat]) => ({ lat: degrees(lat), lon: degrees(lon) }));
const polygon = (...rings: readonly LatLon[][]) => shapeProblem({ kind: 'polygon', rings });
const SQUARE = ring([0, 0], [4, 0], [4, 4], [0, 4]);

describe('a shape that is none', () => {
  it.each([
    ['two points', polygon(ring([0, 0], [1, 1])), 'too-few-points', 0],
    ['a bow tie', polygon(ring([0, 0], [4, 4], [4, 0], [0, 4])), 'crosses-itself', 2],
    ['a line there and back', polygon(ring([0, 0], [4, 4], [2, 2])), 'crosses-itself', 1],
    ['a line along a parallel', polygon(ring([0, 0], [4, 0], [2, 0])), 'no-area', 0],
    ['a point twice', polygon(ring([0, 0], [4, 0], [4, 0], [4, 4])), 'crosses-itself', 1],
    ['a corner that touches an edge', polygon(ring([0, 0], [4, 0], [4, 4], [2, 0], [0, 4])), 'crosses-itself', 2],
    ['a shape without area', polygon(ring([0, 0], [1e-7, 0], [1e-7, 1e-7])), 'no-area', 0],
    ['a ring around the pole', polygon(ring([-120, 80], [0, 80], [120, 80])), 'around-pole', 0],
    ['a hole outside', polygon(SQUARE, ring([5, 5], [6, 5], [6, 6])), 'hole-outside', 0],
    ['a hole over the edge', polygon(SQUARE, ring([3, 1], [5, 1], [3, 2])), 'rings-cross', 0],
    [
      'holes over each other',
      polygon(SQUARE, ring([1, 1], [2, 1], [2, 2]), ring([1.5, 0.5], [3, 1.5], [1.5, 1.5])),
      'rings-cross',
      1,
    ],
    [
      'a line of one point',
      shapeProblem({ kind: 'corridor', line: ring([1, 1], [1, 1]), width: metres(20) }),
      'too-few-points',
      0,
    ],
  ] as const)('%s', (_, problem, code, point) => {
    expect(problem).toMatchObject({ code, point });
  });

  it.each([
    ['a square with a hole', polygon(SQUARE, ring([1, 1], [2, 1], [2, 2]))],
    ['one over the antimeridian', polygon(ring([179, 0], [-179, 0], [-179, 1], [179, 1]))],
    ['a hole that touches the outline', polygon(SQUARE, ring([0, 2], [1, 1], [1, 3]))],
    ['a circle', shapeProblem({ kind: 'circle', center: ring([0, 90])[0] as LatLon, radius: metres(20) })],
  ])('%s is one', (_, problem) => {
    expect(problem).toBeNull();
  });

  it('points around a center never cross, whatever their distance; with two neighbors changed they do', () => {
    const around = (radii: readonly number[]) =>
      radii.map((radius, i) => {
        const angle = (i / radii.length) * 2 * Math.PI;
        return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
      });
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.3, max: 1, noNaN: true }), { minLength: 4, maxLength: 20 }), radii => {
        expect(polygon(ring(...around(radii)))).toBeNull();
        const [a, b, ...others] = around(radii.map(() => 1));
        expect(polygon(ring(b as readonly [number, number], a as readonly [number, number], ...others))?.code).toBe(
          'crosses-itself',
        );
      }),
    );
  });
});
