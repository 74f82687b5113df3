import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeTrail, type TrailPoint, trailStretches } from './trail.ts';

const MINUTE = 60_000;
const point = (timeMs: number, lat = 41, late = false): TrailPoint => ({ lon: -87, lat, timeMs, late });
const points = fc.array(fc.tuple(fc.nat(1000), fc.boolean())).map(list => list.map(([t, late]) => point(t, 41, late)));

describe('mergeTrail', () => {
  it('keeps the order of time, each moment once, and nothing from before the window', () => {
    fc.assert(
      fc.property(points, points, fc.nat(1000), (known, more, from) => {
        const times = mergeTrail(known, more, from).map(({ timeMs }) => timeMs);
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        const wanted = new Set([...known, ...more].map(({ timeMs }) => timeMs).filter(timeMs => timeMs >= from));
        expect(new Set(times)).toEqual(wanted);
      }),
    );
  });

  it('puts a late point where it belongs', () => {
    const trail = mergeTrail([point(1000), point(3000)], [point(2000, 41, true)], 0);
    expect(trail.map(({ timeMs, late }) => [timeMs, late])).toEqual([
      [1000, false],
      [2000, true],
      [3000, false],
    ]);
  });
});

describe('trailStretches', () => {
  it('leads nothing from one vehicle to the next', () => {
    const trail = [
      point(0),
      point(MINUTE),
      { ...point(20 * MINUTE, 42), begins: true as const },
      point(21 * MINUTE, 42.01),
    ];
    expect(trailStretches(trail).map(({ kind, points: { length } }) => [kind, length])).toEqual([
      ['track', 2],
      ['track', 2],
    ]);
  });

  it('draws a gap where the vehicle went on unheard', () => {
    const trail = [point(0), point(MINUTE), point(20 * MINUTE, 41.2), point(21 * MINUTE, 41.21)];
    expect(trailStretches(trail).map(({ kind, points: { length } }) => [kind, length])).toEqual([
      ['track', 2],
      ['gap', 2],
      ['track', 2],
    ]);
  });

  it('is no gap where a parked vehicle slept', () => {
    expect(trailStretches([point(0), point(8 * 60 * MINUTE), point(8 * 60 * MINUTE + 1000)])).toEqual([
      { kind: 'track', points: [point(0), point(8 * 60 * MINUTE), point(8 * 60 * MINUTE + 1000)] },
    ]);
  });

  it('leads from the first to the last point without a hole', () => {
    const trail = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 9 })), { minLength: 2 });
    fc.assert(
      fc.property(trail, steps => {
        let at = 0;
        const list = steps.map(([minutes, tenths]) => {
          at += minutes * MINUTE;
          return point(at, 41 + tenths / 10);
        });
        const stretches = trailStretches(list);
        expect(stretches[0]?.points[0]).toEqual(list[0]);
        expect(stretches.at(-1)?.points.at(-1)).toEqual(list.at(-1));
        for (const [i, stretch] of stretches.slice(1).entries()) {
          expect(stretch.points[0]).toEqual(stretches[i]?.points.at(-1));
        }
      }),
    );
  });
});
