import { epochMs, fromKilometresPerHour, metres, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixAt, parkedAt, placeAt } from '../testing/drift.ts';
import { compileFence } from './area.ts';
import { DEFAULT_EDGE, type Fence, FenceIndex } from './fence-index.ts';
import { type FenceFix, FenceFollower } from './follower.ts';
import type { FenceEvent, FollowerState } from './follower-state.ts';
import type { FenceShape } from './shape.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const circle = (east: number, north: number, radius: number): FenceShape => ({
  kind: 'circle',
  center: placeAt(east, north),
  radius: metres(radius),
});
const fences = (...shapes: readonly FenceShape[]): FenceIndex =>
  new FenceIndex(shapes.map((shape, i): Fence => ({ id: i + 1, area: compileFence(shape), edge: DEFAULT_EDGE })));
const YARD = fences(circle(0, 0, 100));

/** Drives east at a steady speed. */
const drive = (fromEast: number, toEast: number, kmh: number, everyMs = 10 * SECOND, startMs = 0): FenceFix[] => {
  const speed = fromKilometresPerHour(kmh);
  const step = (speed * everyMs) / SECOND;
  return Array.from({ length: Math.floor((toEast - fromEast) / step) + 1 }, (_, i) =>
    fixAt(startMs + i * everyMs, fromEast + i * step, 0, { speed }),
  );
};
const stand = (east: number, count: number, startMs: number, everyMs = 30 * SECOND): FenceFix[] =>
  Array.from({ length: count }, (_, i) => fixAt(startMs + i * everyMs, east, 0));
const follow = (fixes: Iterable<FenceFix>, index = YARD): FenceEvent[] => {
  const follower = new FenceFollower(index);
  return [...fixes].flatMap(fix => follower.take(fix));
};
const told = (events: readonly FenceEvent[]) => events.map(({ kind, entry, exit }) => [kind, (exit ?? entry).at]);

describe('a vehicle and a geofence', () => {
  it('drives in and out: two events, at the moments when it crossed the edge', () => {
    // 10 m/s: the edge is passed at 40 s and 60 s.
    const events = follow(drive(-500, 500, 36, 5 * SECOND));
    expect(told(events)).toEqual([
      ['enter', 40_000],
      ['exit', 60_000],
    ]);
    expect(events[1]).toMatchObject({ entry: events[0]?.entry, exit: { lon: expect.closeTo(placeAt(100, 0).lon, 7) } });
    expect(events[0]?.entry).toMatchObject({ after: 35_000, before: 40_000, knownAt: 45_000 });
  });

  it('goes through between two fixes', () => {
    const [event, ...others] = follow(drive(-1000, 1000, 108, 30 * SECOND), fences(circle(0, 0, 20)));
    expect(others).toEqual([]);
    expect(event).toMatchObject({ kind: 'pass', entry: { at: 32_667 }, exit: { at: 34_000 } });
  });

  it('stops just behind the edge and is in; just before it, and is not', () => {
    const arrive = (east: number) => {
      const way = drive(-500, east - 30, 36, 5 * SECOND);
      return follow([...way, ...stand(east, 20, (way.at(-1)?.time ?? 0) + 10 * SECOND)]);
    };
    expect(told(arrive(-88))).toEqual([['enter', expect.any(Number)]]);
    expect(arrive(-104)).toEqual([]);
  });

  it('parks at the edge with a receiver that drifts, and stays where it was', () => {
    const index = fences(circle(0, 0, 200));
    const noise = { seed: 7, sigma: 25, everyMs: 30 * SECOND, lengthMs: 24 * 60 * MINUTE };
    expect(told(follow(parkedAt(190, 0, noise), index)).slice(1)).toEqual([]);
    expect(follow(parkedAt(210, 0, noise), index)).toEqual([]);
  });

  it('dwells after five minutes, and an exit that is none changes nothing', () => {
    const follower = new FenceFollower(YARD);
    const phases: string[] = [];
    const inAndStay = [...drive(-300, 0, 36, 5 * SECOND), ...stand(0, 12, 40 * SECOND), fixAt(12 * MINUTE, 150, 0)];
    for (const fix of [...inAndStay, ...stand(0, 1, 13 * MINUTE)]) {
      follower.take(fix);
      if (phases.at(-1) !== follower.phase(1)) phases.push(follower.phase(1));
    }
    expect(phases).toEqual(['outside', 'entering', 'inside', 'dwelling', 'exiting', 'dwelling']);
  });

  it('is towed out with the ignition off: known once it stays away', () => {
    const towed = [...stand(0, 5, 0), ...stand(600, 12, 5 * MINUTE, MINUTE)];
    expect(told(follow(towed))).toEqual([
      ['enter', 0],
      ['exit', expect.any(Number)],
    ]);
  });

  it('was silent: the crossing is reckoned from the end that moves, and says how uncertain it is', () => {
    // Parked for an hour without reports, then 200 m from the edge at 10 m/s.
    const events = follow([fixAt(0, 0, 0), ...drive(300, 600, 36, 5 * SECOND, 60 * MINUTE)]);
    expect(events[1]).toMatchObject({
      kind: 'exit',
      exit: { at: 60 * MINUTE - 20 * SECOND, after: 0, before: 60 * MINUTE, confidence: expect.closeTo(0.8, 1) },
    });
  });

  it('is across the antimeridian in and out as elsewhere', () => {
    const index = fences({ kind: 'circle', center: { ...placeAt(0, 0), lon: 180 as never }, radius: metres(100) });
    const shifted = drive(-500, 500, 36, 5 * SECOND).map(fix => ({
      ...fix,
      lon: (fix.lon < 0 ? fix.lon + 180 : fix.lon - 180) as FenceFix['lon'],
    }));
    expect(told(follow(shifted, index))).toEqual(told(follow(drive(-500, 500, 36, 5 * SECOND))));
  });

  it('goes from one into another that touches it: out and in at the same moment', () => {
    const box = (west: number, east: number): FenceShape => ({
      kind: 'polygon',
      rings: [[placeAt(west, -200), placeAt(east, -200), placeAt(east, 200), placeAt(west, 200)]],
    });
    const events = follow(drive(-900, 900, 36, 5 * SECOND), fences(box(-400, 3), box(3, 400)));
    expect(events.map(({ fenceId, kind, entry, exit }) => [fenceId, kind, (exit ?? entry).at])).toEqual([
      [1, 'enter', 50_000],
      [1, 'exit', 90_300],
      [2, 'enter', 90_300],
      [2, 'exit', 130_000],
    ]);
  });

  it('has no events of fixes that are not newer', () => {
    const fixes = drive(-500, 500, 36, 5 * SECOND);
    expect(follow(fixes.flatMap(fix => [fix, fix, { ...fix, time: epochMs(fix.time - 1) }]))).toEqual(follow(fixes));
  });
});

/** Wanders near the edge of several geofences: stops, drives, jumps, silences. */
const wander = fc
  .array(
    fc.record({
      east: fc.integer({ min: -400, max: 400 }),
      north: fc.integer({ min: -400, max: 400 }),
      gap: fc.constantFrom(5, 10, 30, 120, 900),
      speed: fc.constantFrom(null, 0, 0, 0.4, 8, 20),
      ignition: fc.constantFrom(null, true, false),
      accuracy: fc.constantFrom(null, 5, 60),
    }),
    { minLength: 1, maxLength: 80 },
  )
  .map(steps => {
    let time = 0;
    return steps.map(({ east, north, gap, speed, ignition, accuracy }) => {
      time += gap * SECOND;
      return fixAt(time, east, north, {
        speed: speed === null ? null : metresPerSecond(speed),
        ignition,
        accuracy: accuracy === null ? null : metres(accuracy),
      });
    });
  });
const SEVERAL = fences(circle(0, 0, 100), circle(120, 0, 40), circle(0, 0, 300), {
  kind: 'corridor',
  line: [placeAt(-500, -200), placeAt(500, 200)],
  width: metres(80),
});

describe('any drive', () => {
  it('is in where a slow look at each place, by the angles under which the edges are seen, finds it inside', () => {
    const corners = fc.array(fc.double({ min: 0.35, max: 1, noNaN: true }), { minLength: 3, maxLength: 12 });
    const drives = fc.record({
      corners,
      size: fc.integer({ min: 500, max: 4000 }),
      hole: fc.boolean(),
      north: fc.integer({ min: -1500, max: 1500 }),
      kmh: fc.integer({ min: 10, max: 110 }),
      everyS: fc.constantFrom(5, 10, 30),
    });
    let compared = 0;
    fc.assert(
      fc.property(drives, ({ corners, size, hole, north, kmh, everyS }) => {
        const ring = (part: number): [number, number][] =>
          corners.map((radius, i) => {
            const angle = (i / corners.length) * 2 * Math.PI;
            return [radius * size * part * Math.cos(angle), radius * size * part * Math.sin(angle)];
          });
        const rings = hole ? [ring(1), ring(0.4)] : [ring(1)];
        const isInside = (x: number): boolean => rings.filter(one => isSeenAround(one, x, north)).length === 1;
        const speed = fromKilometresPerHour(kmh);
        const truth: number[] = [];
        for (let x = -size - 1000; x < size + 1000; x++) if (isInside(x) !== isInside(x + 1)) truth.push(x + 0.5);
        // A stretch on one side must be long enough to be certain of, and no edge along the way.
        const enough = Math.max(6 * everyS * speed, 400);
        const shape: FenceShape = {
          kind: 'polygon',
          rings: rings.map(one => one.map(([x, y]) => placeAt(x, y))),
        };
        const { signedDistance } = compileFence(shape);
        const isClear = [-Infinity, ...truth].every((x, i) => {
          const next = truth[i] ?? Infinity;
          const middle = (Math.max(x, -size - 1000) + Math.min(next, size + 1000)) / 2;
          return next - x > enough && Math.abs(signedDistance(placeAt(middle, north))) > 60;
        });
        if (!isClear || truth.length === 0) return;
        const start = -size - 1000;
        const fixes = drive(start, size + 1000, kmh, everyS * SECOND).map(fix => ({
          ...fix,
          ...placeAt(0, north),
          lon: fix.lon,
        }));
        const found = follow(fixes, fences(shape)).map(({ entry, exit }) => (exit ?? entry).at);
        expect(found).toHaveLength(truth.length);
        for (const [i, x] of truth.entries()) {
          expect(Math.abs((found[i] as number) - ((x - start) / speed) * SECOND)).toBeLessThan((1.5 / speed) * SECOND);
        }
        compared++;
      }),
      { numRuns: 120 },
    );
    expect(compared).toBeGreaterThan(20);
  });
});

/** By the sum of the angles under which the edges are seen: a whole turn from inside. Meters. */
function isSeenAround(ring: readonly (readonly [number, number])[], x: number, y: number): boolean {
  let sum = 0;
  for (const [i, [aX, aY]] of ring.entries()) {
    const [bX, bY] = ring[(i + 1) % ring.length] as [number, number];
    const [ax, ay, bx, by] = [aX - x, aY - y, bX - x, bY - y];
    sum += Math.atan2(ax * by - bx * ay, ax * bx + ay * by);
  }
  return Math.abs(sum) > Math.PI;
}

describe('any fixes', () => {
  it('lead to the same events and state, wherever the state was stored and read in between', () => {
    fc.assert(
      fc.property(wander, fc.nat(), (fixes, at) => {
        const whole = new FenceFollower(SEVERAL);
        const events = fixes.flatMap(fix => whole.take(fix));
        const cut = at % (fixes.length + 1);
        const first = new FenceFollower(SEVERAL);
        const before = fixes.slice(0, cut).flatMap(fix => first.take(fix));
        const stored = JSON.parse(JSON.stringify(first.state())) as FollowerState;
        const second = new FenceFollower(SEVERAL, stored);
        const after = fixes.slice(cut).flatMap(fix => second.take(fix));
        expect([...before, ...after]).toEqual(events);
        expect(second.state()).toEqual(whole.state());
      }),
    );
  });

  it('enter and leave in turn, in order of time, each crossing between its fixes', () => {
    fc.assert(
      fc.property(wander, fixes => {
        const follower = new FenceFollower(SEVERAL);
        const entered = new Map<number, FenceEvent>();
        for (const fix of fixes) {
          for (const event of follower.take(fix)) {
            const { fenceId, kind, entry, exit } = event;
            expect([kind, entered.has(fenceId)]).toEqual([kind, kind === 'exit']);
            for (const crossing of [entry, ...(exit ? [exit] : [])]) {
              expect(crossing.at).toBeGreaterThanOrEqual(crossing.after ?? 0);
              expect(crossing.at).toBeLessThanOrEqual(crossing.before);
              expect(crossing.before).toBeLessThanOrEqual(crossing.knownAt);
            }
            if (exit) expect(exit.at).toBeGreaterThanOrEqual(entry.at);
            if (kind === 'enter') entered.set(fenceId, event);
            else entered.delete(fenceId);
          }
          for (const id of SEVERAL.ids()) {
            const isIn = follower.phase(id) !== 'outside' && follower.phase(id) !== 'entering';
            expect(entered.has(id)).toBe(isIn);
          }
        }
      }),
    );
  });

  it('of one geofence don’t depend on others', () => {
    fc.assert(
      fc.property(wander, fixes => {
        const together = follow(fixes, SEVERAL);
        for (const id of SEVERAL.ids()) {
          const fence = SEVERAL.get(id);
          const alone = follow(fixes, new FenceIndex(fence ? [fence] : []));
          expect(alone).toEqual(together.filter(event => event.fenceId === id));
        }
      }),
    );
  });
});
