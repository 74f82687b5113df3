import { degrees } from '@milepost/units';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTrackGap, pointsToKeep, type TimedPlace, type TrackPlaces, trackToDraw } from './index.ts';

const point = fc.record({
  step: fc.integer({ min: 1, max: 900 }),
  lat: fc.double({ min: -0.01, max: 0.01, noNaN: true }),
  lon: fc.double({ min: -0.01, max: 0.01, noNaN: true }),
});

/** A track that wanders from a place on Earth, also across the 180th meridian. */
const track = fc
  .tuple(fc.constantFrom(0, 41.88, -60), fc.constantFrom(0, -87.6, 179.99, -179.99), fc.array(point, { maxLength: 80 }))
  .map(([lat, lon, steps]) => {
    let [timeMs, y, x] = [1_700_000_000_000, lat, lon];
    return steps.map((step): TimedPlace => {
      timeMs += step.step * 1000;
      y += step.lat;
      x = ((x + step.lon + 540) % 360) - 180;
      return { timeMs, lat: degrees(y), lon: degrees(x) };
    });
  });

const columnsOf = (points: readonly TimedPlace[]): TrackPlaces => ({
  timeMs: points.map(({ timeMs }) => timeMs),
  lat: points.map(({ lat }) => lat),
  lon: points.map(({ lon }) => lon),
});

const gapsOf = (points: readonly TimedPlace[]): string[] =>
  points.flatMap((to, i) => {
    const from = points[i - 1];
    return from && isTrackGap(from, to) ? [`${from.timeMs}-${to.timeMs}`] : [];
  });

it('a drawn track begins and ends where the track does, and has its gaps and no other', () => {
  fc.assert(
    fc.property(track, fc.double({ min: 0, max: 5000, noNaN: true }), (points, tolerance) => {
      const drawn = trackToDraw(columnsOf(points), tolerance).map(i => points[i] as TimedPlace);
      expect(drawn.at(0)).toBe(points.at(0));
      expect(drawn.at(-1)).toBe(points.at(-1));
      expect(drawn.map(({ timeMs }) => timeMs)).toEqual(drawn.map(({ timeMs }) => timeMs).toSorted((a, b) => a - b));
      // Between two points of a gap that was there, nothing is left out; a new one would join points with others between.
      const real = new Set(gapsOf(points));
      for (const gap of gapsOf(drawn)) expect(real).toContain(gap);
    }),
  );
});

it('no point that is left out is farther from the line than the tolerance', () => {
  const plane = fc.array(fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: -1000, max: 1000 })), {
    minLength: 2,
    maxLength: 60,
  });
  fc.assert(
    fc.property(plane, fc.integer({ min: 0, max: 300 }), (line, tolerance) => {
      const kept = pointsToKeep(line, tolerance);
      expect([kept[0], kept.at(-1)]).toEqual([0, line.length - 1]);
      for (let k = 1; k < kept.length; k++) {
        const [a, b] = [kept[k - 1] as number, kept[k] as number];
        for (let i = a + 1; i < b; i++)
          expect(toSegment(line[i], line[a], line[b])).toBeLessThanOrEqual(tolerance + 1e-9);
      }
    }),
  );
});

/** The least distance to points along the line between two, found by trying. */
function toSegment(point: readonly number[] = [], from: readonly number[] = [], to: readonly number[] = []): number {
  const [px = 0, py = 0] = point;
  const [ax = 0, ay = 0] = from;
  const [bx = 0, by = 0] = to;
  let [low, high] = [0, 1];
  const at = (t: number) => Math.hypot(ax + t * (bx - ax) - px, ay + t * (by - ay) - py);
  for (let round = 0; round < 100; round++) {
    const [one, two] = [low + (high - low) / 3, high - (high - low) / 3];
    if (at(one) < at(two)) high = two;
    else low = one;
  }
  return at(low);
}

it('leaves a straight drive of three hours with the points that show it was driven', () => {
  const drive = Array.from({ length: 1080 }, (_, i) => ({
    timeMs: i * 10_000,
    lat: degrees(41),
    lon: degrees(-87 + i * 0.003),
  }));
  const drawn = trackToDraw(columnsOf(drive), 10_000);
  expect(drawn.length).toBeLessThan(45);
  expect(gapsOf(drawn.map(i => drive[i] as TimedPlace))).toEqual([]);
});
