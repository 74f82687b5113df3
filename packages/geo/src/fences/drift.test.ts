import { fromKilometresPerHour, metres } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { fixAt, normal, parkedAt, placeAt, random } from '../testing/drift.ts';
import { compileFence } from './area.ts';
import { DEFAULT_EDGE, FenceIndex } from './fence-index.ts';
import { FenceFollower } from './follower.ts';

const HOUR = 3_600_000;
const RADIUS = 150;
/** Standard errors: one of a hundred thousand fixes is further off. */
const NOISE = 4.5;
const area = compileFence({ kind: 'circle', center: placeAt(0, 0), radius: metres(RADIUS) });
const YARD = new FenceIndex([{ id: 1, area, edge: DEFAULT_EDGE }]);

interface Counts {
  /** Crossings that never were. */
  false: number;
  /** As seen by asking of each fix on which side it is. */
  naive: number;
}

/** A day parked 10 m from the edge, on either side. */
function park(seeds: number): Counts {
  const counts = { false: 0, naive: 0 };
  for (let seed = 1; seed <= seeds; seed++) {
    const sigma = 5 + ((seed * 7) % 26);
    const everyMs = [10_000, 30_000, 60_000][seed % 3] as number;
    const east = RADIUS + (seed % 2 === 0 ? 10 : -10);
    const follower = new FenceFollower(YARD);
    // Where it is known to be: its first fix is a good one.
    follower.take(fixAt(-everyMs, east, 0));
    let isInside = east < RADIUS;
    for (const fix of parkedAt(east, 0, { seed, sigma, everyMs, lengthMs: 24 * HOUR })) {
      counts.false += follower.take(fix).length;
      const isNow = area.signedDistance(fix) < 0;
      if (isNow !== isInside) counts.naive++;
      isInside = isNow;
    }
  }
  return counts;
}

/** Drives in, goes on inside and comes out again; answers how often either was missed or late. */
function cross(seeds: number): { readonly missed: number; readonly late: number; readonly crossings: number } {
  const result = { missed: 0, late: 0, crossings: 0 };
  for (let seed = 1; seed <= seeds; seed++) {
    const next = random(seed);
    const speed = fromKilometresPerHour(10 + next() * 100);
    const everyMs = [5000, 10_000, 30_000][seed % 3] as number;
    const sigma = 1 + next() * 4;
    // A fence that takes at least six fixes to cross.
    const radius = Math.max(RADIUS, (speed * everyMs * 3) / 1000);
    const fence = compileFence({ kind: 'circle', center: placeAt(0, 0), radius: metres(radius) });
    const follower = new FenceFollower(new FenceIndex([{ id: 1, area: fence, edge: DEFAULT_EDGE }]));
    const start = -radius * 2 - next() * 500;
    const crossed = [(-radius - start) / speed, (radius - start) / speed].map(s => s * 1000);
    const seen: { kind: string; knownAt: number }[] = [];
    for (let time = 0, east = start; east < radius * 2 + 500; time += everyMs, east += (speed * everyMs) / 1000) {
      const fix = fixAt(time, east + sigma * normal(next), sigma * normal(next), { speed });
      for (const { kind, entry, exit } of follower.take(fix)) seen.push({ kind, knownAt: (exit ?? entry).knownAt });
    }
    result.crossings += 2;
    if (seen.map(({ kind }) => kind).join() !== 'enter,exit') result.missed += 2;
    // By the first fix that is past the edge by the buffer for certain, or the second that is past it at all.
    for (const [i, { knownAt }] of seen.entries()) {
      const noiseMs = ((NOISE * sigma) / speed) * 1000;
      const clearMs = noiseMs + Math.max((DEFAULT_EDGE.buffer / speed) * 1000, everyMs);
      if (knownAt > (crossed[i] ?? 0) + clearMs + everyMs) result.late++;
    }
  }
  return result;
}

describe('drift', () => {
  it('of a parked vehicle is no crossing, where naive inside and outside has thousands', () => {
    const { false: wrong, naive } = park(30);
    expect(wrong).toBe(0);
    expect(naive).toBeGreaterThan(1000);
  });

  it('never hides a true crossing, and none is found late', () => {
    const { missed, late, crossings } = cross(300);
    expect([missed, late, crossings]).toEqual([0, 0, 600]);
  });

  it('of a thousand days', { tags: ['long'] }, () => {
    const parked = park(1000);
    const driven = cross(5000);
    process.stdout.write(`parked: ${JSON.stringify(parked)}, driven: ${JSON.stringify(driven)}\n`);
    expect([parked.false, driven.missed, driven.late]).toEqual([0, 0, 0]);
  });
});
