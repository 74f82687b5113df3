import { distanceMetres } from '@milepost/geo';
import { degrees } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACCELERATION, BRAKING, driveLeg } from './leg-run.ts';
import { randomFrom } from './random.ts';
import { decodeTours, encodeTours, readTours } from './tour-file.ts';

const latLon = ([lon, lat]: readonly [number, number]) => ({ lon: degrees(lon), lat: degrees(lat) });

const { cityRounds, longHauls } = readTours();
const tours = [...cityRounds, ...longHauls];
const anyRun = fc.tuple(fc.nat(tours.length - 1), fc.nat(20), fc.integer()).map(([tour, leg, seed]) => {
  const chosen = tours[tour]!;
  const driven = chosen[leg % chosen.length]!;
  return { leg: driven, run: driveLeg(driven, randomFrom('test', seed)) };
});

describe('a driven leg', () => {
  it('moves at its speed and never jumps', () => {
    fc.assert(
      fc.property(anyRun, ({ run }) => {
        for (let second = 1; second <= run.duration; second++) {
          const [before, now] = [run.at(second - 1), run.at(second)];
          const gap = distanceMetres(latLon([before.lon, before.lat]), latLon([now.lon, now.lat]));
          const driven = now.distance - before.distance;
          expect(driven).toBeGreaterThanOrEqual(-1e-9);
          // The straight line is no longer than the distance along the street, except for the map projection on long
          // straight pieces; within the second, the speed may have been higher.
          expect(gap).toBeLessThanOrEqual(driven * 1.005 + 0.01);
          expect(driven).toBeLessThanOrEqual(Math.max(before.speed, now.speed) + 1);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('accelerates and brakes as a truck can', () => {
    fc.assert(
      fc.property(anyRun, ({ run }) => {
        for (let second = 1; second <= run.duration; second++) {
          const change = run.at(second).speed - run.at(second - 1).speed;
          expect(change).toBeLessThanOrEqual(ACCELERATION + 1e-9);
          expect(change).toBeGreaterThanOrEqual(-BRAKING - 1e-9);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('stays on the street, no faster than its limit at a late driver’s pace allows', () => {
    fc.assert(
      fc.property(anyRun, ({ leg, run }) => {
        for (let second = 0.5; second <= run.duration; second += 5) {
          const now = run.at(second);
          const here = latLon([now.lon, now.lat]);
          const detours = leg.limits.map((limit, piece) => {
            const [from, to] = [latLon(leg.points[piece]!), latLon(leg.points[piece + 1]!)];
            const detour = distanceMetres(from, here) + distanceMetres(here, to) - distanceMetres(from, to);
            return { limit, detour };
          });
          const on = detours.filter(({ detour }) => detour < 0.01);
          expect(on).not.toEqual([]);
          expect(now.speed).toBeLessThanOrEqual((Math.max(...on.map(({ limit }) => limit)) / 3.6) * 1.14);
        }
      }),
      { numRuns: 10 },
    );
  });

  it('begins and ends at standstill, at the ends of its leg', () => {
    fc.assert(
      fc.property(anyRun, ({ leg, run }) => {
        const [start, end] = [run.at(0), run.at(run.duration)];
        expect([start.lon, start.lat]).toEqual(leg.points[0]);
        expect(end.lon).toBeCloseTo(leg.points.at(-1)![0], 9);
        expect(end.lat).toBeCloseTo(leg.points.at(-1)![1], 9);
        expect([start.speed, end.speed]).toEqual([0, 0]);
        expect(end.distance).toBeCloseTo(run.distance, 6);
      }),
      { numRuns: 30 },
    );
  });

  it('is the same for the same seed', () => {
    const leg = tours[0]![0]!;
    const [one, other] = [driveLeg(leg, randomFrom('x', 1)), driveLeg(leg, randomFrom('x', 1))];
    expect(other.duration).toBe(one.duration);
    expect(other.at(77)).toEqual(one.at(77));
  });
});

describe('tours', () => {
  it('are closed: every leg begins where the previous one ended', () => {
    for (const tour of tours) {
      for (const [index, leg] of tour.entries()) {
        expect(leg.points[0]).toEqual(tour.at(index - 1)!.points.at(-1));
        expect(leg.limits).toHaveLength(leg.points.length - 1);
      }
    }
  });

  it('are stored without loss', () => {
    const some = { cityRounds: cityRounds.slice(0, 2), longHauls: longHauls.slice(0, 1) };
    expect(decodeTours(encodeTours(some))).toEqual(some);
  });
});
